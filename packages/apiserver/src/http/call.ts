import type { ApiObject, ObjectKey } from 'kube-endpoints/port';
import type { ReadProtobuf } from '../protobuf/index.ts';
import type { Catalog, ServedResource, ServedSubresource, Verb } from '../registry/catalog.ts';
import type { Randomness, Registry } from '../registry/index.ts';
import type { Clock } from '../store/index.ts';
import type { HttpRequest } from './exchange.ts';
import type { Accepted, Output } from './negotiation.ts';
import type { Texts } from './texts.ts';

/** What all requests share. */
export interface Face {
  readonly registry: Registry;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly maxBodyBytes: number;
  readonly texts: Texts;
  /** Reads what Kubernetes' own clients send. */
  readProtobuf(bytes: Uint8Array): Promise<ReadProtobuf>;
  accepted(header: string | undefined): Accepted;
  /** The manager of fields that a User-Agent stands for; undefined where it says nothing. */
  managerOf(userAgent: string | undefined): string | undefined;
  /** Of a Content-Type; JSON where there is none. */
  mediaType(contentType: string | undefined): string | undefined;
  /** When everything has been done that is ready to be done. */
  nextTurn(): Promise<void>;
}

/** A request, once it is known what it asks for. */
export interface Call {
  readonly face: Face;
  readonly request: HttpRequest;
  readonly served: ServedResource;
  readonly subresource: ServedSubresource | undefined;
  readonly verb: Verb;
  readonly namespace: string | undefined;
  /** Empty where the request is for a collection. */
  readonly name: string;
  /** Whether it is a watch by its path. */
  readonly watch: boolean;
  readonly output: Output;
  readonly warn: (text: string) => void;
}

/** What a request is answered with, before it is written. */
export type Result =
  | { readonly object: ApiObject; readonly code?: number }
  | { readonly list: ListResult }
  | { readonly success: Success; readonly code?: number }
  | { readonly stream: AsyncIterable<string> };

export interface ListResult {
  readonly items: readonly ApiObject[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What stands in a Status that tells of success. */
export interface Success {
  readonly details?: Readonly<Record<string, unknown>>;
  readonly code?: number;
}

export type Handler = (call: Call) => Promise<Result>;

export const keyOf = ({ namespace, name }: Pick<Call, 'namespace' | 'name'>): ObjectKey =>
  namespace === undefined ? { name } : { namespace, name };

/** Who a write is for, and who hears of it. */
export function callerOf({ face, request, warn }: Call): {
  readonly user: HttpRequest['user'];
  readonly warn: (text: string) => void;
  readonly defaultManager?: string;
} {
  const defaultManager = face.managerOf(request.headers['user-agent']);
  return { user: request.user, warn, ...(defaultManager !== undefined && { defaultManager }) };
}
