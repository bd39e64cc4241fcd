/** Kubernetes' own primitives: IP addresses, labels and selectors, names, durations, comparison, copies, and Go's way of printing text. */
export { compareText } from './compare.ts';
export { plainCopy } from './copy.ts';
export { parseDuration } from './duration.ts';
export { messageOf, withoutSecrets } from './error-message.ts';
export { escapeText, isLongerThan, isPrintable, namedEscapes, printList, quote } from './go-text.ts';
export { canonicalIP, isIPv6 } from './ip.ts';
