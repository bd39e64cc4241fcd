/** A set of rules, as a file has it: `apiVersion: kube-endpoints/v1`, `kind: EndpointOverrides`. */
export interface EndpointOverrides {
  readonly apiVersion?: 'kube-endpoints/v1';
  readonly kind?: 'EndpointOverrides';
  /** Whether every rule that matches acts, in order, each on what those before it made, or the first one alone. By default all. */
  readonly evaluation?: 'all' | 'first';
  readonly rules: readonly OverrideRule[];
}

export interface OverrideRule {
  /** Unique within its set: a DNS label. Decisions, metrics and audit annotations name it. */
  readonly name: string;
  readonly description?: string;
  /** "audit": what the rule would do is decided and told, and the object left as it is. By default "enforce". */
  readonly mode?: 'enforce' | 'audit';
  /** Which objects; without it, all. */
  readonly match?: ObjectMatch;
  /** Which of their addresses; without it, all. */
  readonly addresses?: AddressMatch;
  readonly action: OverrideAction;
}

/** Everything that is said has to hold. */
export interface ObjectMatch {
  /** Names; `*` stands for any text. */
  readonly namespaces?: readonly string[];
  /** Names of Services; `*` stands for any text. */
  readonly services?: readonly string[];
  /** A selector for labels of the Endpoints or the slice, as the API writes it: "app=web,tier!=test". */
  readonly labels?: string;
  /** A selector for labels of the Service. Matches nothing where the host does not give the Service. */
  readonly serviceLabels?: string;
  readonly kinds?: readonly ('Endpoints' | 'EndpointSlice')[];
  readonly operations?: readonly ('CREATE' | 'UPDATE')[];
  readonly window?: TimeWindow;
  /** 0 to 100: of the Services, always the same ones. */
  readonly percentage?: number;
  /** CEL that gives a bool, over `object`, `oldObject`, `service`, `pods`, `operation`, `now`. */
  readonly expression?: string;
}

/** A time once, or again every week. */
export interface TimeWindow {
  /** RFC 3339. */
  readonly from?: string;
  readonly to?: string;
  /** Of the week: "Mon" to "Sun". */
  readonly days?: readonly string[];
  /** "22:00": from that time of day up to, but not including, `end`, on the next day where that is not later. */
  readonly start?: string;
  readonly end?: string;
  /** Of the IANA database; by default "UTC". */
  readonly timeZone?: string;
}

/** Everything that is said has to hold. */
export interface AddressMatch {
  /** CIDRs or single IPs. */
  readonly ranges?: readonly string[];
  /** Names; `*` stands for any text. */
  readonly pods?: readonly string[];
  readonly nodes?: readonly string[];
  readonly zones?: readonly string[];
  /** A selector for labels of the pod. Matches nothing where the host does not give the pods. */
  readonly podLabels?: string;
  /** Which of them the writer wants ready or not. */
  readonly state?: 'ready' | 'notReady';
  /** 0 to 100: of the addresses, always the same ones. */
  readonly percentage?: number;
  /** CEL that gives a bool, over `address` (ip, hostname, nodeName, zone, targetRef, ready), `pod`, and what an ObjectMatch has. */
  readonly expression?: string;
}

/** Exactly one of these. */
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

/** Addresses outside `allowed`, inside `forbidden`, or of what a preset names. */
export interface Ranges {
  readonly allowed?: readonly string[];
  readonly forbidden?: readonly string[];
  readonly presets?: readonly RangePreset[];
}

export type RangePreset = 'loopback' | 'link-local' | 'unspecified' | 'multicast' | 'pods-of-other-namespaces';
