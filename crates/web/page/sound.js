// The sounds of a game, made here and nowhere recorded: a piece that is put down on wood, and the
// seconds of byoyomi.

import { choose, settings } from "./settings.js";

/** @typedef {"piece" | "check" | "end" | "second" | "last"} SoundName */

/**
 * A short burst of noise through a filter, as wood sounds when it is hit.
 * @param {BaseAudioContext} context
 * @param {number} when
 * @param {{ pitch: number, length: number, loud: number }} shape
 */
function knock(context, when, { pitch, length, loud }) {
  const noise = context.createBuffer(1, Math.ceil(context.sampleRate * length), context.sampleRate);
  const samples = noise.getChannelData(0);
  for (let at = 0; at < samples.length; at++) samples[at] = (Math.random() * 2 - 1) * Math.exp((-at / samples.length) * 9);
  const source = new AudioBufferSourceNode(context, { buffer: noise });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 2.2 });
  const gain = new GainNode(context, { gain: loud });
  source.connect(filter).connect(gain).connect(context.destination);
  source.start(when);
}

/**
 * A tone that fades.
 * @param {BaseAudioContext} context
 * @param {number} when
 * @param {{ pitch: number, length: number, loud: number }} shape
 */
function tone(context, when, { pitch, length, loud }) {
  const source = new OscillatorNode(context, { type: "sine", frequency: pitch });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, when);
  gain.gain.linearRampToValueAtTime(loud, when + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, when + length);
  source.connect(gain).connect(context.destination);
  source.start(when);
  source.stop(when + length);
}

/**
 * Plays a sound into a context.
 * @param {BaseAudioContext} context
 * @param {SoundName} name
 */
export function render(context, name) {
  const now = context.currentTime;
  switch (name) {
    case "piece":
    case "check":
      knock(context, now, { pitch: 1900, length: 0.07, loud: 1.4 });
      knock(context, now, { pitch: 520, length: 0.12, loud: 1.1 });
      if (name === "check") knock(context, now + 0.09, { pitch: 2300, length: 0.05, loud: 0.7 });
      break;
    case "second":
      tone(context, now, { pitch: 880, length: 0.09, loud: 0.18 });
      break;
    case "last":
      tone(context, now, { pitch: 1175, length: 0.16, loud: 0.24 });
      break;
    case "end":
      [392, 523, 659].forEach((pitch, place) => tone(context, now + place * 0.16, { pitch, length: 0.5, loud: 0.2 }));
  }
}

class Sound {
  constructor() {
    /** @type {AudioContext | null} */
    this.context = null;
    /**
     * What was played last.
     * @type {SoundName[]}
     */
    this.played = [];
    this.second = Infinity;
  }

  /** Whether sounds are on. */
  get isOn() {
    return settings.sound === "soundOn";
  }

  toggle() {
    choose("sound", this.isOn ? "soundOff" : "soundOn");
    if (this.isOn) this.play("piece");
  }

  /** @param {SoundName} name */
  play(name) {
    if (!this.isOn || document.hidden) return;
    // Browsers let a page sound only after the user has touched it.
    if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return;
    this.context ??= new AudioContext();
    if (this.context.state === "suspended") void this.context.resume();
    render(this.context, name);
    this.played = [...this.played.slice(-19), name];
  }

  /**
   * Counts the last ten seconds of a clock that runs.
   * @param {number} left the milliseconds that are left
   */
  countDown(left) {
    const second = Math.ceil(left / 1000);
    if (second < this.second && second <= 10 && second > 0) this.play(second <= 3 ? "last" : "second");
    this.second = second;
  }
}

export const sound = new Sound();
