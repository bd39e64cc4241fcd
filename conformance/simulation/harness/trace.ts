/** The events of a run, to analyze a failing seed. Lines are formatted lazily. */
export interface Trace {
  /** @param subject the name of the replica, "client" or "cloud"; empty for the simulation itself */
  log(subject: string, ...parts: readonly unknown[]): void;
  readonly length: number;
  /** The last `maxLines` lines; all lines by default. */
  lines(maxLines?: number): string[];
  /** A digest that differs if two runs differ. */
  digest(): number;
}

type Entry = readonly [time: number, subject: string, parts: readonly unknown[]];

export function createTrace(clock: { readonly time: number }): Trace {
  const entries: Entry[] = [];
  const formatEntry = ([time, subject, parts]: Entry): string =>
    `${time.toFixed(2).padStart(11)} ${subject.padEnd(6)} ${parts.map(formatPart).join(' ')}`;
  return {
    log: (subject, ...parts) => void entries.push([clock.time, subject, parts]),
    get length() {
      return entries.length;
    },
    lines: (maxLines = Number.POSITIVE_INFINITY) => entries.slice(-maxLines).map(formatEntry),
    digest() {
      let hash = 0;
      for (const entry of entries) {
        for (const character of formatEntry(entry)) hash = (Math.imul(hash, 31) + (character.codePointAt(0) as number)) | 0;
      }
      return hash;
    },
  };
}

function formatPart(part: unknown): string {
  if (typeof part === 'string') return part;
  if (part instanceof Error) return part.message;
  return JSON.stringify(part) ?? String(part);
}
