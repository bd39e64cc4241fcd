import type { Json } from './generate.ts';

/** A case of the oracle; go/main.go documents the operations. */
export interface KindCase {
  readonly id: string;
  readonly operation: 'default' | 'convert' | 'table' | 'create' | 'update';
  readonly object: Json;
  readonly old?: Json;
  readonly subresource?: string;
  /** The version of a conversion. */
  readonly version?: string;
}

/** The answer to a case, ours or Kubernetes'. */
export interface KindAnswer {
  readonly id: string;
  readonly object?: unknown;
  readonly columns?: readonly Json[];
  readonly cells?: readonly unknown[];
  readonly causes?: readonly Json[];
  readonly warnings?: readonly string[];
  /** The object cannot be decoded. */
  readonly error?: string;
}
