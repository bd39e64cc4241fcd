/** The events of a run, to analyze a failing seed. Lines are formatted lazily. */
export interface Trace {
  note(who: string, ...what: readonly unknown[]): void;
  readonly length: number;
  /** The last lines. */
  lines(maxLines?: number): string[];
  /** A digest that differs if two runs differ. */
  digest(): number;
}

type Entry = readonly [time: number, who: string, what: readonly unknown[]];

export function createTrace(clock: { readonly time: number }): Trace {
  const entries: Entry[] = [];
  const say = ([time, who, what]: Entry): string => `${time.toFixed(2).padStart(11)} ${who.padEnd(6)} ${what.map(sayPart).join(' ')}`;
  return {
    note: (who, ...what) => void entries.push([clock.time, who, what]),
    get length() {
      return entries.length;
    },
    lines: (most = Number.POSITIVE_INFINITY) => entries.slice(-most).map(say),
    digest() {
      let hash = 0;
      for (const entry of entries) {
        for (const character of say(entry)) hash = (Math.imul(hash, 31) + (character.codePointAt(0) as number)) | 0;
      }
      return hash;
    },
  };
}

function sayPart(part: unknown): string {
  if (typeof part === 'string') return part;
  if (part instanceof Error) return part.message;
  return JSON.stringify(part) ?? String(part);
}
