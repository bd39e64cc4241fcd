import { formatCountOf } from './reason.ts';

const maxListedNames = 3;
/** In characters; a first name may be longer. */
const maxListedLength = 48;

/** "web-1, web-2, web-3 and 4 more" */
export function listNames(names: readonly string[]): string {
  let count = Math.min(names.length, maxListedNames);
  while (count > 1 && names.slice(0, count).join(', ').length > maxListedLength) count--;
  const shown = names.slice(0, count).join(', ');
  return names.length > count ? `${shown} and ${names.length - count} more` : shown;
}

/** "Pod web-1", "3 pods (web-1, web-2, web-3)" */
export const describePods = (names: readonly string[]): string =>
  names.length === 1 ? `Pod ${names[0]}` : `${formatCountOf(names.length, 'pod', 'pods')} (${listNames(names)})`;

/** "Pod web-1 has no IP", "Pod web-1: the container app is not running", "3 pods (web-1, web-2, web-3): the pod has no IP" */
export function describeInPods(names: readonly string[], message: string): string {
  const subject = /^The pod (?!IP)/;
  if (names.length === 1 && subject.test(message)) return message.replace(subject, `Pod ${names[0]} `);
  return `${describePods(names)}: ${message.replace(/^(?:The|No) /, (word) => word.toLowerCase())}`;
}
