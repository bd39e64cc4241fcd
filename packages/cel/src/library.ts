/** What is used of the library that reads and evaluates expressions. It is handed in, as loading it takes longer than most need. */
export type CelLibrary = Pick<typeof import('@marcbachmann/cel-js'), 'Environment' | 'Optional'>;

/** Makes values of types that the library keeps to itself. */
export interface CelValueMaker {
  duration(nanoseconds: bigint): object;
  /** @param value undefined for none */
  optional(value: unknown): object;
}

export function createValueMaker({ Environment, Optional }: CelLibrary): CelValueMaker {
  const example = new Environment().evaluate('duration("1s")') as object;
  const Duration = example.constructor as new (seconds: bigint, nanoseconds: number) => object;
  return {
    duration(nanoseconds) {
      const rest = ((nanoseconds % second) + second) % second;
      return new Duration((nanoseconds - rest) / second, Number(rest));
    },
    optional: (value) => Optional.of(value),
  };
}

const second = 1_000_000_000n;

/** A function of Kubernetes' expressions: how it is called, with the types, and what it does. */
export interface CelFunction {
  /** As the library reads it: `string.charAt(int): string`, or `quantity(string): kubernetes.Quantity`. */
  readonly signature: string;
  /** Whole numbers are BigInts, lists Arrays, maps Maps, times Dates. @throws CelFailure where there is no answer */
  readonly run: (...given: never[]) => unknown;
}

/** A type of values that only functions make. */
export interface CelType {
  readonly name: string;
  readonly ctor: abstract new (...given: never[]) => object;
  /** Whether two are the same. */
  readonly same: (a: never, b: never) => boolean;
}

/** Functions that belong together, and the types that they need. */
export interface CelPart {
  /** What stands before a function where it has no receiver, as `ip` does in `ip.isCanonical(string): bool`. The function is given it. */
  readonly namespaces?: readonly string[];
  readonly types?: readonly CelType[];
  readonly functions: readonly CelFunction[];
}

/** Why an expression, or a function of it, has no value. The texts are those of cel-go. */
export class CelFailure extends Error {
  override readonly name = 'CelFailure';
  /** Of an expression that cannot be read: where, in its source. */
  readonly at: number | undefined;
  constructor(message: string, at?: number) {
    super(message);
    this.at = at;
  }
  /** As the library's errors have it. */
  get summary(): string {
    return this.message;
  }
}
