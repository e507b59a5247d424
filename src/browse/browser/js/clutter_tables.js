// @ts-check
/**
 * What is in the way on common sites, by the names that advertisers, consent tools and themes give it.
 * @param {any} _
 */
(_) => ({
  ads: `
    ins.adsbygoogle, amp-ad, amp-sticky-ad, amp-embed[type=taboola], [id^=google_ads], [id^=div-gpt-ad], [id^=gpt-ad],
    [data-google-query-id], [data-ad], [data-ad-slot], [data-ad-unit], [data-adunit], [data-ad-client], [data-ad-name],
    iframe[src*='doubleclick.net'], iframe[src*='googlesyndication.com'], iframe[src*='adservice.'], iframe[src*='amazon-adsystem.com'],
    .ad, .ads, .advert, .adverts, .advertisement, .advertising, .adbox, .adslot, .adunit, .ad-banner, .ad-block, .ad-box,
    .ad-container, .ad-placement, .ad-slot, .ad-space, .ad-unit, .ad-wrap, .ad-wrapper, .ad-zone, .ad_container, .ad_slot,
    .ad_wrapper, .adContainer, .adWrapper, .banner-ad, .banner-ads, .dfp-ad, .display-ad, .leaderboard-ad, .native-ad,
    .promoted-content, .sidebar-ad, .sponsored, .sponsored-content, .sponsored-post, .sponsor-box, .text-ad,
    #ad, #ads, #ad-banner, #ad-container, #banner-ad, #sidebar-ad, #top-ad, #carbonads, .ethical-ad, [id^=taboola-],
    .taboola, .trc_related_container, .OUTBRAIN, .ob-widget, .zergnet-widget, .revcontent, .mgbox,
    [aria-label='Advertisement' i], [aria-label='Advertisements' i], [aria-label='Sponsored' i]`,
  cookies: `
    #onetrust-consent-sdk, #onetrust-banner-sdk, .onetrust-pc-dark-filter, #CybotCookiebotDialog,
    #CybotCookiebotDialogBodyUnderlay, #usercentrics-root, #usercentrics-cmp-ui, .qc-cmp2-container, #qc-cmp2-container,
    #didomi-host, #didomi-notice, .didomi-popup-container, #truste-consent-track, .truste_overlay, .truste_box_overlay,
    #consent_blackbar, .fc-consent-root, [id^=sp_message_container], .osano-cm-window, .osano-cm-dialog,
    #iubenda-cs-banner, .klaro .cookie-notice, .klaro .cookie-modal, #tarteaucitronRoot, #termly-code-snippet-support,
    #cmpbox, #cmpbox2, #cmpwrapper, #axeptio_overlay, .axeptio_widget, #BorlabsCookieBox, #moove_gdpr_cookie_info_bar,
    #shopify-pc__banner, #cookie-law-info-bar, .cli-modal-backdrop, .cky-consent-container, .cky-overlay, .cmplz-cookiebanner,
    #ccc, #ccc-overlay, .evidon-banner, #evidon-prefdiag-overlay, #hs-eu-cookie-confirmation, .cc-window, .cc-banner,
    .cc-floating, .cookiefirst-root, #cookiescript_injected, #cookie-script, .trustarc-banner, .message-overlay.cookie,
    #cookie-banner, #cookie-bar, #cookie-consent, #cookie-notice, #cookie-popup, #cookie-message, #cookies, #cookieConsent,
    #cookieBanner, #cookieNotice, #gdpr, #gdpr-banner, #gdpr-consent, #consent-banner, #privacy-banner, #eu-cookie-law,
    .cookie-alert, .cookie-banner, .cookie-bar, .cookie-consent, .cookie-dialog, .cookie-disclaimer, .cookie-message,
    .cookie-modal, .cookie-notice, .cookie-notification, .cookie-overlay, .cookie-policy-banner, .cookie-popup, .cookie-prompt,
    .cookie-wall, .cookies-banner, .cookies-notice, .cookieConsent, .cookieBanner, .gdpr, .gdpr-banner, .gdpr-consent,
    .gdpr-popup, .consent-banner, .consent-modal, .consent-popup, .privacy-banner,
    [role=dialog][aria-label*=cookie i], [role=region][aria-label*=cookie i], [data-testid*=cookie-banner i],
    [data-testid*=cookie-consent i]`,
  social: `
    .addthis_toolbox, .addthis-smartlayers, .addtoany_share_save_container, .a2a_kit, .sharedaddy, .jp-sharing-input-touch,
    .sharethis-inline-share-buttons, .sharethis-sticky-share-buttons, .st-sticky-share-buttons, .at-share-dock,
    .ssba, .heateor_sss_sharing_container, .social-share, .social-sharing, .social-buttons, .social-bar, .social-icons,
    .social-links, .social-media-icons, .social-widget, .share-bar, .share-buttons, .share-links, .share-tools, .share-widget,
    .sharing-buttons, .post-share, .article-share, .floating-share, .follow-us, .fb-like, .fb-page, .fb-share-button,
    .twitter-share-button, .twitter-follow-button, .pinterest-share, .linkedin-share,
    iframe[src*='facebook.com/plugins'], iframe[src*='platform.twitter.com/widgets'], iframe[src*='platform.linkedin.com']`,
  overlays: `
    .modal-backdrop, .modal-overlay, .popup-overlay, .popup-backdrop, .lightbox-overlay, .dialog-overlay, .page-overlay,
    .overlay-backdrop, .newsletter-modal, .newsletter-popup, .newsletter-overlay, .subscribe-modal, .subscribe-popup,
    .subscription-modal, .signup-modal, .signup-popup, .email-popup, .exit-intent, .exit-popup, .interstitial, .paywall,
    .paywall-overlay, .paywall-modal, .regwall, .registration-wall, .meter-overlay, .metered-paywall, .adblock-notice,
    .adblock-modal, .anti-adblock, #paywall, #regwall, #newsletter-popup, #newsletter-modal, #interstitial,
    .tp-modal, .tp-backdrop, .tp-container-inner > iframe, .pum-overlay, .mfp-bg, .mfp-wrap, .fancybox-container,
    .fancybox-overlay, .optinmonster, [id^=om-] > [class*=Campaign], .sumome-react-wysiwyg-popup-container, .leadinModal,
    .klaviyo-form, #credential_picker_container, #onesignal-slidedown-container, #onesignal-popover-container,
    #intercom-container, .intercom-lightweight-app, #drift-frame-controller, #drift-widget-container, #hubspot-messages-iframe-container,
    .crisp-client, #chat-widget-container, #fc_frame, #tidio-chat, #tawk-bubble-container, .zEWidget-launcher, #launcher,
    .smartbanner, .smart-banner, .app-banner, .app-download-banner, .push-prompt, .survey-popup, .feedback-popup`,
  clutter: `
    .related-articles, .related-content, .related-posts, .related-stories, .related-links, .recommended-articles,
    .recommended-content, .recommended-posts, .recommendations, .more-stories, .more-from, .you-may-like, .read-next, .up-next,
    .trending, .trending-now, .most-read, .most-popular, .popular-posts, .newsletter, .newsletter-box, .newsletter-signup,
    .email-signup, .signup-box, .subscribe-box, .subscribe-form, .promo, .promo-box, .promo-banner, .house-ad, .breaking-news,
    .news-ticker, .back-to-top, .scroll-to-top, #back-to-top, #comments, .comments-area, #disqus_thread, .fb-comments,
    .feedback-button, .feedback-tab, .print-button, .font-resizer, .widget_recent_entries, .widget_tag_cloud, .tag-cloud`,
});
