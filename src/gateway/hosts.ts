import { editDistance } from '../apimachinery/index.ts';

/** A host in lower case, without the port. */
export const normalizeHost = (host: string): string => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');

/** Whether a hostname of Gateway API matches a host: a wildcard stands for one or more labels. An empty one matches all. */
export function hostMatches(pattern: string, host: string): boolean {
  const text = pattern.toLowerCase();
  if (text === '') return true;
  return text.startsWith('*.') ? host.endsWith(text.slice(1)) : text === host;
}

/** Whether the host of an Ingress rule matches: a wildcard stands for exactly one label. */
export const ingressHostMatches = (pattern: string, host: string): boolean =>
  hostMatches(pattern, host) && (!pattern.startsWith('*.') || !host.slice(0, 1 - pattern.length).includes('.'));

/** Whether some host matches both hostnames. */
export const hostsIntersect = (a: string, b: string): boolean =>
  hostMatches(a, b.toLowerCase()) || hostMatches(b, a.toLowerCase()) || a.toLowerCase() === b.toLowerCase();

/** Orders hostnames: exact ones, then longer ones, then the empty one. The result is positive if the first one is more specific. */
export const compareHosts = (a: string, b: string): number => exactLength(a) - exactLength(b) || a.length - b.length;

const exactLength = (pattern: string): number => (pattern.startsWith('*.') ? 0 : pattern.length);

/** The most similar of some texts, as the end of a sentence; empty if none is similar. */
export function nearest(text: string, candidates: Iterable<string>): string {
  let best: string | undefined;
  let max = Math.max(2, Math.floor(text.length / 3));
  for (const candidate of candidates) {
    const distance = candidate.length > maxLength || text.length > maxLength ? max + 1 : editDistance(text, candidate, max);
    if (distance > max || (distance === max && best !== undefined)) continue;
    best = candidate;
    max = distance;
  }
  return best === undefined || best === text ? '' : `; the nearest is ${JSON.stringify(best)}`;
}

/** Longer texts are not compared: the time grows with the product of their lengths. */
const maxLength = 300;

/** A list as the end of a sentence; empty if the list is. */
export const declare = (texts: readonly string[]): string => (texts.length === 0 ? '' : `; it has ${texts.join(', ')}`);
