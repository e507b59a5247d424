// Evaluated in the side panel: as if the tabs of /heavy used gigabytes, one more with every measurement.
{
  const { fetch: truly, Date: clock } = globalThis;
  const now = clock.now;
  let asked = 0;
  let ahead = 0;
  globalThis.fetch = async (address, about) => {
    const answer = await truly(address, about);
    if (!address.endsWith("/memory")) return answer;
    const seen = await answer.json();
    asked += 1;
    for (const tab of seen.tabs) if (tab.page.url.includes("/heavy")) tab.used = (4 + asked) * 2 ** 30;
    return Response.json(seen);
  };
  // Memory is measured every 30 seconds at most, when a command runs.
  clock.now = () => now() + ahead;
  globalThis.aMinuteLater = () => {
    ahead += 60_000;
  };
  globalThis.asTheyAre = () => {
    globalThis.fetch = truly;
    clock.now = now;
  };
}
