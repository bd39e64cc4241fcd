import type { ApiObject, WatchEvent } from 'kube-endpoints/port';
import { type AccessAttributes, type Authorizer, createForbiddenError } from '../authorization/index.ts';
import type { ProtobufEncoder } from '../protobuf/index.ts';
import type { Catalog, ServedResource, ServedSubresource, Verb } from '../registry/catalog.ts';
import type { Randomness, Registry, ServiceAccountTokens, TokenUser } from '../registry/index.ts';
import type { Clock } from '../store/index.ts';
import { stringifyExactly } from '../store/index.ts';
import type { HttpRequest } from './exchange.ts';
import type { NegotiationResult, Output } from './negotiation.ts';
import type { ParsedYaml } from './yaml.ts';

/** State shared by all requests of a server. */
export interface HandlerContext {
  readonly registry: Registry;
  readonly catalog: Catalog;
  readonly authorizer: Authorizer;
  /** Returns the user of a token; undefined if it is invalid. */
  findUser(token: string, audiences: readonly string[]): TokenUser | undefined;
  readonly serviceAccountTokens: ServiceAccountTokens | undefined;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly maxBodyBytes: number;
  readonly jsonEncoder: JsonEncoder;
  readonly protobufEncoder: ProtobufEncoder;
  readYaml(text: string): Promise<ParsedYaml>;
  negotiateOutput(header: string | undefined): NegotiationResult;
  /** Derives the default field manager from a User-Agent; undefined if the header names no manager. */
  managerOf(userAgent: string | undefined): string | undefined;
  /** Parses the media type of a Content-Type: JSON if the header is absent, undefined if it is malformed. */
  mediaTypeOf(contentType: string | undefined): string | undefined;
  /** Resolves when watches should send their pending events; see createFlushCoalescer. */
  waitForFlush(): Promise<void>;
}

/** A request for a resource and verb that the server knows. */
export interface Call {
  readonly context: HandlerContext;
  readonly request: HttpRequest;
  readonly servedResource: ServedResource;
  readonly subresource: ServedSubresource | undefined;
  readonly verb: Verb;
  readonly namespace: string | undefined;
  /** Empty if the request is for a collection. */
  readonly name: string;
  /** Whether the path has the old form of a watch: /api/v1/watch/... */
  readonly isWatchPath: boolean;
  readonly output: Output;
  readonly warn: (text: string) => void;
}

/** The result of a handler, before it is encoded. */
export type Result =
  | { readonly object: ApiObject; readonly code?: number }
  | { readonly list: ListResult }
  | { readonly success: Success; readonly code?: number }
  | { readonly stream: AsyncIterable<string | Uint8Array> };

export interface ListResult {
  readonly items: readonly ApiObject[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The fields of a Status that reports success. */
interface Success {
  readonly details?: Readonly<Record<string, unknown>>;
  readonly code?: number;
}

export type Handler = (call: Call) => Promise<Result>;

/** Returns the user of a write, the callback for its warnings and its default field manager. */
export function callerOf({ context, request, warn }: Call): {
  readonly user: HttpRequest['user'];
  readonly findUser: HandlerContext['findUser'];
  readonly warn: (text: string) => void;
  readonly defaultManager?: string;
} {
  const defaultManager = context.managerOf(request.headers['user-agent']);
  return { user: request.user, findUser: context.findUser, warn, ...(defaultManager !== undefined && { defaultManager }) };
}

/**
 * Returns the check that the user of an update may create its object, which the update does if there is none. Mirrors withAuthorization
 * (apiserver/pkg/endpoints/handlers/update.go, 1.36).
 */
export function createCreateCheck({ context: { authorizer }, request, servedResource, subresource, namespace, name }: Call): () => void {
  const { group, version, plural } = servedResource.resource;
  return () => {
    const attributes: AccessAttributes = {
      user: request.user,
      verb: 'create',
      group,
      version,
      resource: plural,
      ...(subresource && { subresource: subresource.name }),
      ...(namespace !== undefined && { namespace }),
      name,
    };
    const { isAllowed, reason } = authorizer.authorize(attributes);
    if (!isAllowed) throw createForbiddenError(attributes, reason);
  };
}

/**
 * Encodes objects and watch events as JSON. The text of a frozen object is shared by all clients and cached as long as the object lives.
 */
interface JsonEncoder {
  encodeObject(object: ApiObject): string;
  /** Encodes an event as a line of a watch. */
  encodeEvent(event: WatchEvent): string;
}

export function createJsonEncoder(): JsonEncoder {
  const textByObject = new WeakMap<ApiObject, string>();
  const lineByEvent = new WeakMap<WatchEvent, string>();
  const encodeObject = (object: ApiObject): string => {
    const cachedText = textByObject.get(object);
    if (cachedText !== undefined) return cachedText;
    const text = stringifyExactly(object);
    if (Object.isFrozen(object)) textByObject.set(object, text);
    return text;
  };
  return {
    encodeObject,
    encodeEvent(event) {
      const cachedText = lineByEvent.get(event);
      if (cachedText !== undefined) return cachedText;
      const text = formatEventLine(event.type, encodeObject(event.object));
      if (Object.isFrozen(event)) lineByEvent.set(event, text);
      return text;
    },
  };
}

/** Formats an event as a line of a watch response. */
export const formatEventLine = (type: WatchEvent['type'] | 'ERROR', object: string): string => `{"type":"${type}","object":${object}}\n`;
