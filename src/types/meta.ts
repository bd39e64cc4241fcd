/** A field that the API may omit or send as null, or that a class instance holds as undefined. */
export type Optional<T> = T | null | undefined;

/**
 * A point in time: RFC 3339 text as in JSON, or a Date as in `@kubernetes/client-node`.
 * Text may have fractions of a second down to nanoseconds and any offset from UTC.
 */
export type Timestamp = string | Date;

/** Labels, annotations and selectors. Any text is a valid key, including `__proto__` and `constructor`. */
export type StringMap = Readonly<Record<string, string>>;

/** The part of `metav1.ObjectMeta` that endpoints depend on. All other fields are passed through unchanged. */
export interface ObjectMeta {
  readonly name?: Optional<string>;
  readonly namespace?: Optional<string>;
  readonly uid?: Optional<string>;
  readonly resourceVersion?: Optional<string>;
  readonly generation?: Optional<number>;
  readonly creationTimestamp?: Optional<Timestamp>;
  readonly deletionTimestamp?: Optional<Timestamp>;
  readonly labels?: Optional<StringMap>;
  readonly annotations?: Optional<StringMap>;
}

/** `corev1.ObjectReference`. */
export interface ObjectReference {
  readonly kind?: Optional<string>;
  readonly namespace?: Optional<string>;
  readonly name?: Optional<string>;
  readonly uid?: Optional<string>;
  readonly apiVersion?: Optional<string>;
  readonly resourceVersion?: Optional<string>;
  readonly fieldPath?: Optional<string>;
}
