/** A set of rules, in file form: `apiVersion: kube-endpoints/v1`, `kind: EndpointOverrides`. */
export interface EndpointOverrides {
  readonly apiVersion?: 'kube-endpoints/v1';
  readonly kind?: 'EndpointOverrides';
  /**
   * "all" (default): every matching rule acts, in order, each on the result of those before it. "first": only the first matching rule acts.
   */
  readonly evaluation?: 'all' | 'first';
  readonly rules: readonly OverrideRule[];
}

export interface OverrideRule {
  /** Unique in its set; a DNS label. Used in decisions, metrics and audit annotations. */
  readonly name: string;
  readonly description?: string;
  /** "audit" reports what the rule would do and changes nothing. Default: "enforce". */
  readonly mode?: 'enforce' | 'audit';
  /** Selects objects; default: all. */
  readonly match?: ObjectMatch;
  /** Selects addresses of these objects; default: all. */
  readonly addresses?: AddressMatch;
  readonly action: OverrideAction;
}

/** All given conditions must hold. */
export interface ObjectMatch {
  /** Names; `*` stands for any text. */
  readonly namespaces?: readonly string[];
  /** Names of Services; `*` stands for any text. */
  readonly services?: readonly string[];
  /** A selector for labels of the Endpoints or the slice, in the API's syntax: "app=web,tier!=test". */
  readonly labels?: string;
  /** A selector for labels of the Service. Does not match if the host does not give the Service. */
  readonly serviceLabels?: string;
  readonly kinds?: readonly ('Endpoints' | 'EndpointSlice')[];
  readonly operations?: readonly ('CREATE' | 'UPDATE')[];
  readonly window?: TimeWindow;
  /** 0 to 100: a percentage of the Services; always the same ones. */
  readonly percentage?: number;
  /** A CEL expression of type bool over `object`, `oldObject`, `service`, `pods`, `operation` and `now`. */
  readonly expression?: string;
}

/** A time span, a weekly schedule, or both. */
export interface TimeWindow {
  /** RFC 3339. */
  readonly from?: string;
  readonly to?: string;
  /** Days of the week: "Mon" to "Sun". */
  readonly days?: readonly string[];
  /** Time of day, such as "22:00". The window ends before `end`, on the next day if that is not later than `start`. */
  readonly start?: string;
  readonly end?: string;
  /** Name in the IANA database; default: "UTC". */
  readonly timeZone?: string;
}

/** All given conditions must hold. */
export interface AddressMatch {
  /** CIDRs or single IPs. */
  readonly ranges?: readonly string[];
  /** Names; `*` stands for any text. */
  readonly pods?: readonly string[];
  readonly nodes?: readonly string[];
  readonly zones?: readonly string[];
  /** A selector for labels of the pod. Does not match if the host does not give the pods. */
  readonly podLabels?: string;
  /** The readiness that the writer intends. */
  readonly state?: 'ready' | 'notReady';
  /** 0 to 100: a percentage of the addresses; always the same ones. */
  readonly percentage?: number;
  /**
   * A CEL expression of type bool over `address` (ip, hostname, nodeName, zone, targetRef, ready), `pod`, and the variables of an
   * ObjectMatch.
   */
  readonly expression?: string;
}

/**
 * Exactly one of these. `atLeast` is a number of addresses or a percentage such as "50%". `afterReady` and `afterUnready` are in seconds.
 */
export type OverrideAction =
  | { readonly keepIn: Nothing }
  | { readonly keepOut: { readonly as?: 'notReady' | 'absent' } }
  | { readonly move: { readonly to: 'ready' | 'notReady' } }
  | { readonly keepReady: { readonly atLeast: number | string } }
  | { readonly hold: { readonly afterReady?: number; readonly afterUnready?: number } }
  | { readonly freeze: Nothing }
  | { readonly refuse: Ranges }
  | { readonly drop: Ranges };

/** `{}` in a file. */
export type Nothing = Readonly<Record<never, never>>;

/** Matches addresses that are outside `allowed`, inside `forbidden`, or in a preset. */
export interface Ranges {
  readonly allowed?: readonly string[];
  readonly forbidden?: readonly string[];
  readonly presets?: readonly RangePreset[];
}

export type RangePreset = 'loopback' | 'link-local' | 'unspecified' | 'multicast' | 'pods-of-other-namespaces';
