/** Two small sounds made on the spot: a tile set down, and a soft call when it is your turn. */

let context: AudioContext | null = null;

function open(): AudioContext | null {
  if (typeof AudioContext === "undefined") return null;
  // Browsers let a page sound only after it was touched; before that this stays silent.
  if (!navigator.userActivation?.hasBeenActive) return null;
  context ??= new AudioContext();
  return context;
}

function tone(frequency: number, after: number, lasts: number, loudness: number, shape: OscillatorType): void {
  const audio = open();
  if (!audio) return;
  const start = audio.currentTime + after;
  const voice = audio.createOscillator();
  const level = audio.createGain();
  voice.type = shape;
  voice.frequency.setValueAtTime(frequency, start);
  level.gain.setValueAtTime(0, start);
  level.gain.linearRampToValueAtTime(loudness, start + 0.006);
  level.gain.exponentialRampToValueAtTime(0.0001, start + lasts);
  voice.connect(level).connect(audio.destination);
  voice.start(start);
  voice.stop(start + lasts);
}

/** Ceramic on plaster: two high partials that die at once. */
export function clack(): void {
  tone(1900, 0, 0.05, 0.05, "triangle");
  tone(3150, 0.004, 0.035, 0.025, "sine");
}

/** Your turn. */
export function call(): void {
  tone(587.3, 0, 0.35, 0.05, "sine");
  tone(880, 0.11, 0.5, 0.04, "sine");
}
