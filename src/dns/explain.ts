import { type DnsReason, dnsMends, dnsReasons } from './reasons.ts';

/** The sentence of a reason. */
export const explainAnswer = (reason: DnsReason): string => fill(dnsReasons[reason.code], reason.values);

/** What mends it; undefined where nothing is wrong, or nothing known helps. */
export function mendAnswer(reason: DnsReason): string | undefined {
  const mend = dnsMends[reason.code];
  return mend === undefined ? undefined : fill(mend, reason.values);
}

const fill = (sentence: string, values: Readonly<Record<string, string>>): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (place, name: string) => (Object.hasOwn(values, name) ? (values[name] as string) : place));
