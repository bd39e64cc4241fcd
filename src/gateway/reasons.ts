import { type GatewayReasonCode, type GatewayReasonRow, gatewayReasons } from './reason-table.ts';
import { formatReference, type GatewayReference } from './reference.ts';

export interface GatewayReason {
  readonly code: GatewayReasonCode;
  readonly message: string;
  /** The object that the reason is about, if it is about one. */
  readonly object?: GatewayReference;
  /** The field of the object, for example "spec.rules[0].backendRefs[1]". */
  readonly path?: string;
  /** What to do. Absent if the reason is no problem. */
  readonly remedy?: string;
}

/** Values for the braces of a message. */
export type ReasonValues = Readonly<Record<string, string>>;

/** What a reason is about. */
export interface Location {
  readonly object: GatewayReference;
  readonly path?: string;
}

export function createReason(code: GatewayReasonCode, values: ReasonValues = {}, location?: Location): GatewayReason {
  const { message, remedy } = gatewayReasons[code];
  const all: ReasonValues = { ...(location && { path: location.path ?? '', object: formatReference(location.object) }), ...values };
  const fill = (text: string): string => text.replace(/\{(\w+)\}/g, (braces, name: string) => all[name] ?? braces);
  return { code, message: fill(message), ...location, ...(remedy && { remedy: fill(remedy) }) };
}

export const verdictOf = (code: GatewayReasonCode): GatewayReasonRow['verdict'] => gatewayReasons[code].verdict;
