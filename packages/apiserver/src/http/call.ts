import type { ApiObject, WatchEvent } from 'kube-endpoints/port';
import type { ReadProtobuf } from '../protobuf/index.ts';
import type { Catalog, ServedResource, ServedSubresource, Verb } from '../registry/catalog.ts';
import type { Randomness, Registry } from '../registry/index.ts';
import type { Clock } from '../store/index.ts';
import type { HttpRequest } from './exchange.ts';
import type { Accepted, Output } from './negotiation.ts';

/** What all requests share. */
export interface HandlerContext {
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
  readonly context: HandlerContext;
  readonly request: HttpRequest;
  readonly served: ServedResource;
  readonly subresource: ServedSubresource | undefined;
  readonly verb: Verb;
  readonly namespace: string | undefined;
  /** Empty where the request is for a collection. */
  readonly name: string;
  /** Whether it is a watch by its path. */
  readonly watchPath: boolean;
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
interface Success {
  readonly details?: Readonly<Record<string, unknown>>;
  readonly code?: number;
}

export type Handler = (call: Call) => Promise<Result>;

/** Who a write is for, and who hears of it. */
export function callerOf({ context, request, warn }: Call): {
  readonly user: HttpRequest['user'];
  readonly warn: (text: string) => void;
  readonly defaultManager?: string;
} {
  const defaultManager = context.managerOf(request.headers['user-agent']);
  return { user: request.user, warn, ...(defaultManager !== undefined && { defaultManager }) };
}

/**
 * The JSON of objects and watch events. What is frozen is put into words once, whoever asks: a text is kept as long as its object is.
 */
interface Texts {
  of(object: ApiObject): string;
  /** An event as a line of a watch. */
  ofEvent(event: WatchEvent): string;
}

export function createTexts(): Texts {
  const objects = new WeakMap<ApiObject, string>();
  const events = new WeakMap<WatchEvent, string>();
  const of = (object: ApiObject): string => {
    const known = objects.get(object);
    if (known !== undefined) return known;
    const text = JSON.stringify(object);
    if (Object.isFrozen(object)) objects.set(object, text);
    return text;
  };
  return {
    of,
    ofEvent(event) {
      const known = events.get(event);
      if (known !== undefined) return known;
      const text = eventText(event.type, of(event.object));
      if (Object.isFrozen(event)) events.set(event, text);
      return text;
    },
  };
}

/** A line of a watch. */
export const eventText = (type: WatchEvent['type'] | 'ERROR', object: string): string => `{"type":"${type}","object":${object}}\n`;
