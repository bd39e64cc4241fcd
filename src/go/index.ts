/** How Go writes and reads what stands in the messages and addresses of Kubernetes; and what an error says. */
export { parseDuration } from './duration.ts';
export { messageOf, withoutSecrets } from './message.ts';
export { escapeText, isLongerThan, isPrintable, namedEscapes, printList, quote } from './text.ts';
