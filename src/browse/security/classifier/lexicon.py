"""The words that matter when a page addresses a machine, each with its class: one letter.

Rules and features use classes, so that they apply to words that no training text had. A word
has one class, the first that lists it.
"""

_WORDS = {
    "O": (  # override
        "ignore ignoring disregard disregarding forget forgetting override overriding overrides "
        "bypass bypassing overwrite discard dismiss neglect rescind supersede supersedes "
        "superseding circumvent nullify unlearn ignoriere ignorieren ignorier vergiss vergessen "
        "vergesst missachte ignorez oubliez oublie ignora ignorar ignores ignorad olvida olvide "
        "olvidar olvídate ignorate dimentica dimenticate desconsidere desconsidera esqueça "
        "esquece игнорируй игнорируйте игнорировать забудь забудьте negeer vergeet zignoruj "
        "zapomnij"
    ),
    "o": (  # undo
        "stop drop skip cancel void erase remove delete reset abandon change replace break "
        "disable deactivate disobey violate stopp lösche"
    ),
    "P": (  # earlier
        "previous prior above preceding earlier foregoing former existing original past before "
        "previously initial beforehand precedent vorherigen vorherige vorheriger bisherigen "
        "bisherige obigen vorigen vorangegangenen précédentes précédents précédente précédent "
        "anteriores anterior previas previos precedenti precedente предыдущие предыдущих прежние "
        "предыдущую vorige eerdere poprzednie wcześniejsze"
    ),
    "R": (  # orders
        "instruction instructions directive directives directions prompt prompts rule rules "
        "guideline guidelines command commands orders constraints constraint policies "
        "restrictions restriction protocols programming safeguards filters limitations anweisung "
        "anweisungen befehle regeln aufgaben consignes règles instrucciones órdenes reglas "
        "istruzioni regole instruções regras инструкции инструкций команды правила указания "
        "instructies polecenia instrukcje"
    ),
    "r": (  # task
        "task tasks context message messages request requests text conversation content "
        "information query question questions role order policy conditions input inputs training "
        "said told"
    ),
    "A": (  # names of models
        "ai ais llm llms chatbot chatbots chatgpt gpts claude gemini copilot bard "
        "ki ia ии grok chatgpt's siri alexa"
    ),
    "a": (  # names of assistants
        "assistant assistants agent agents model models bot bots summarizer crawler assistent "
        "assistenten asistente assistente ассистент scraper parser"
    ),
    "k": (  # makers of models, and what configurations name: a key, not an address
        "openai anthropic mistral perplexity gpt gpt4 llama ollama azure huggingface"
    ),
    "Y": (  # you
        "you yourself u vous usted ustedes você ты вы"
    ),
    "y": (  # your
        "your ur yours dein deine deinen votre vos tus su seu твой ваш ваши"
    ),
    "I": (  # first person
        "i me my mine i'm i'd i've i'll myself"
    ),
    "S": (  # secrets
        "password passwords secret secrets credential credentials passcode confidential apikey "
        "ssn passphrase passwort passwörter contraseña contraseñas senha пароль пароли секрет "
        "codeword"
    ),
    "s": (  # private things
        "key keys token tokens private sensitive login cookie cookies pin personal internal code "
        "codes hidden account accounts bank financial address data history records details"
    ),
    "T": (  # send
        "send forward email transmit upload exfiltrate leak emailing sending forwarding sende "
        "senden schicke envoyez envoie envía enviar invia envie отправь отправьте wire"
    ),
    "t": (  # hand over
        "post submit share deliver transfer mail grant give message report copy"
    ),
    "V": (  # reveal
        "reveal disclose divulge unveil expose recite verrate révèle revela раскрой"
    ),
    "v": (  # say
        "print show display output repeat echo dump tell list provide spell write say zeige "
        "affiche muestra mostra покажи return"
    ),
    "X": (  # execute
        "run execute invoke perform launch install call executing"
    ),
    "x": (  # operate
        "click navigate fetch download visit retrieve open access go search create delete "
        "schedule buy purchase book add remove update unlock disable turn find get read use "
        "follow"
    ),
    "C": (  # conceal
        "mention mentioning inform informing notify alert conceal hide acknowledge secretly "
        "silently quietly covertly subtly discreetly unnoticed naturally seamlessly smoothly "
        "unobtrusively"
    ),
    "L": (  # role, for sure
        "pretend roleplay simulate impersonate persona dan jailbreak jailbroken unrestricted "
        "unfiltered uncensored roleplaying amoral unethical"
    ),
    "l": (  # role, perhaps
        "act imagine character mode developer admin sudo root acting play named behave"
    ),
    "U": (  # the person served
        "user users user's human humans customer customers reader readers recipient benutzer "
        "nutzer utilisateur usuario utente usuário пользователь пользователю visitor"
    ),
    "n": (  # from now on
        "now henceforth hereafter"
    ),
    "N": (  # new
        "new following additional updated next real actual different special"
    ),
    "i": (  # urgent
        "important urgent attention critical warning notice immediately crucial priority "
        "emergency mandatory wichtig achtung важно"
    ),
    "D": (  # negation
        "not never don't dont without cannot avoid refrain nicht nie niemals pas jamais nunca не "
        "никогда didn't won't"
    ),
    "E": (  # everything
        "all any every everything anything alle alles tous toutes todas todos tutte все всё "
        "whatever"
    ),
    "W": (  # an answer
        "response responses reply replies answer answers output outputs summary summaries "
        "translation completion"
    ),
    "w": (  # to answer
        "respond replying answering responding summarize summarise summarizing summarising "
        "translate translating describing explaining generating analyzing processing reviewing "
        "discussing referencing"
    ),
    "J": (  # shape an answer
        "include incorporate insert append embed weave recommend suggest advise remind emphasize "
        "promote encourage highlight mention prompt urge steer endorse praise integrate modify "
        "enhance infuse"
    ),
    "M": (  # must
        "must should shall need required strictly always ensure only please exactly simply just "
        "kindly bitte"
    ),
    "Q": (  # system
        "system administrator admin's authorized maintenance debug sys"
    ),
    "b": (  # consent
        "confirmation approval permission consent authorization authorised approved "
        "agreed confirmed confirm verify verification validation asking ask wait"
    ),
    "h": (  # shell
        "curl wget bash sudo chmod rm ssh scp powershell sh eval netcat crontab chown zsh cmd "
        "terminal shell"
    ),
    "p": (  # money
        "pay payment bitcoin btc ethereum wallet paypal iban refund deposit crypto funds balance "
        "money usd eur dollars invoice venmo"
    ),
    "g": (  # judge
        "rate rating rank ranked score approve accept accepted hire hired qualified positive "
        "excellent highest best safe flag flagged"
    ),
    "e": (  # whatever the facts
        "regardless instead rather unless otherwise irrespective"
    ),
    "c": (  # what an assistant was asked about
        "page document article site website webpage file passage listing paper résumé"
    ),
    "B": (  # be
        "are become be as am bist êtes eres is"
    ),
    "f": (  # when
        "from on if when once before after upon whenever since while"
    ),
    "Z": (  # talk about attacks
        "injection injections jailbreaks attack attacks attacker attackers adversarial detect "
        "detects detection detector malicious vulnerability vulnerabilities guardrail guardrails "
        "payload payloads exploit mitigation mitigate defense scanner classifier benchmark owasp "
        "sanitize untrusted bypasses phishing redteam"
    ),
    "z": (  # words that stand beside it, and in any text: they excuse nothing
        "security example examples dataset scan evaluation threat threats harmful"
    ),
}
# Languages that put no spaces between words: these are cut out of the run of characters.
_UNSPACED = {
    "O": "忽略 无视 無視 忘记 忘れ 무시",
    "P": "之前 以上 先前 上述 以前の これまで 上記 이전 위의",
    "R": "指令 指示 规则 提示词 系统提示 命令 ルール プロンプト 지시 명령 규칙 프롬프트",
    "A": "人工智能 语言模型 大模型 言語モデル 인공지능",
    "a": "助手 智能体 アシスタント 어시스턴트",
    "S": "密码 密钥 パスワード 비밀번호",
    "T": "发送 发给 送って 送信 보내",
    "v": "输出 显示 泄露 表示して 출력",
    "U": "用户 ユーザー 사용자",
    "D": "不要 别",
    "E": "所有 全部 すべて 모두",
    "W": "回答 回复 답하",
    "J": "推荐 加入",
    "f": "如果",
    "Y": "你 您",
    "B": "是 作为",
    "x": "访问 打开 開いて",
}
UNSPACED = sorted(" ".join(_UNSPACED.values()).split(), key=len, reverse=True)
CLASS_OF: dict[str, str] = {}
for _letter, _listed in [*_WORDS.items(), *_UNSPACED.items()]:
    for _word in _listed.split():
        CLASS_OF.setdefault(_word, _letter)
