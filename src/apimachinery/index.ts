/**
 * Kubernetes primitives that several modules share: IP addresses and networks, quantities, labels and selectors, names, keys, durations,
 * equality, order, copies, Go's text formats, and helpers for callbacks and options.
 */
export { type CIDR, cidrContains, parseCIDR, parseCIDRSloppy, rangeSize } from './cidr.ts';
export { compareText } from './compare.ts';
export { type ConnectionEntry, type ConnectionLimiter, createConnectionLimiter } from './connections.ts';
export { plainCopy } from './copy.ts';
export { createDeque, type Deque } from './deque.ts';
export { parseDuration } from './duration.ts';
export { editDistance } from './edit-distance.ts';
export { deepEqual, semanticEqual } from './equal.ts';
export { messageOf, redactSecrets } from './error-message.ts';
export { escapeText, isLongerThan, isPrintable, namedEscapes, printList, quote } from './go-text.ts';
export { hasSeveralHosts, limitConnections, type ServerConnections } from './http-server.ts';
export {
  canonicalIP,
  hasLeadingZeros,
  type IP,
  type IPFamily,
  ipBits,
  ipFamilyOf,
  ipv4Number,
  isIPv6,
  parseIP,
  printIP,
  rankOfIPv4,
  readCanonicalIP,
  strictIP,
} from './ip.ts';
export { createKeyedMutex, type KeyedMutex } from './keyed-mutex.ts';
export { type LabelSelector, labelOperators, requirementsOf, selectorMatches } from './label-selector.ts';
export { problemsOfLabelKey, problemsOfLabelValue } from './labels.ts';
export {
  compareByName,
  metaNamespaceKey,
  type Named,
  nameOf,
  namespacedName,
  namespaceOf,
  objectKey,
  splitMetaNamespaceKey,
} from './meta.ts';
export {
  dns1123Label,
  dns1123Subdomain,
  isDNS1123Label,
  isDNS1123Subdomain,
  isLabelOfAnyLength,
  isSubdomainOfAnyLength,
} from './names.ts';
export { type Addr, isIPv4Mapped, parseAddr } from './netip.ts';
export { safeObserver } from './observer.ts';
export { requireWholeNumber } from './options.ts';
export {
  approximateNanos,
  fitsInt64,
  isQuantity,
  milliValue,
  parseQuantity,
  printQuantity,
  type Quantity,
  type QuantityFormat,
  type QuantityProblem,
  type QuantityText,
  scanQuantity,
  zeroQuantity,
} from './quantity.ts';
export {
  createRequirementsMatcher,
  type LabelOperator,
  type LabelRequirement,
  type Labels,
  parseInteger,
  parseLabelSelector,
} from './selectors.ts';
export type { YamlDocument, YamlPositions } from './yaml/compose.ts';
export { YamlError } from './yaml/cursor.ts';
export { createLineCounter, findYamlPosition, readYaml, readYamlInSteps } from './yaml/read.ts';
