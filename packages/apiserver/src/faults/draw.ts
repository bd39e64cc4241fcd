import type { Span } from './rule.ts';

/** Numbers from 0 up to, but not including, 1. */
export type Draw = () => number;

/** The same numbers for the same seed; others for each of its streams. Mixed as MurmurHash3 does at its end. */
export function createDraw(seed: number, stream: number): Draw {
  let state = mix(mix(seed % 2 ** 32) ^ mix(Math.floor(seed / 2 ** 32) + 1)) ^ mix(stream + 1);
  return () => {
    state = (state + 0x9e3779b9) | 0;
    return mix(state) / 2 ** 32;
  };
}

/** A number of a span; a whole one where its ends are. */
export function within(span: Span, draw: Draw): number {
  if (typeof span === 'number') return span;
  const [lowest, highest] = span;
  const whole = Number.isInteger(lowest) && Number.isInteger(highest);
  return whole ? lowest + Math.floor(draw() * (highest - lowest + 1)) : lowest + draw() * (highest - lowest);
}

function mix(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
