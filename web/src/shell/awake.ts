/** The screen and the hand that holds it: kept awake, and told without a sound. */

/** Long enough to think; whoever has laid the phone aside wants its battery tomorrow. */
const AWAKE_MS = 10 * 60_000;
const BUZZ_MS = 60;

/** Keeps the screen on for a while, also after the page was hidden, when browsers let go; the answer ends it. */
export function keepAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let over = false;
  const ask = async (): Promise<void> => {
    if (document.hidden || !("wakeLock" in navigator)) return;
    // Without power to spare a browser refuses, and the screen goes dark as it always does.
    const got = await navigator.wakeLock.request("screen").catch(() => null);
    if (over) void got?.release();
    else lock = got;
  };
  const again = (): void => void ask();
  const end = (): void => {
    over = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", again);
    void lock?.release();
    lock = null;
  };
  const timer = setTimeout(end, AWAKE_MS);
  document.addEventListener("visibilitychange", again);
  again();
  return end;
}

/** A short vibration. Browsers refuse one, loudly, before the person has touched the page. */
export function buzz(): void {
  if ("vibrate" in navigator && navigator.userActivation.hasBeenActive) navigator.vibrate(BUZZ_MS);
}
