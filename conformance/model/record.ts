import type { ApiObject, ObjectKey, Resource, WatchEvent } from 'kube-endpoints/port';
import type { Scope, TestedKind } from './kinds.ts';

/** The server's newest resource versions before and after a call. The call observes one of the versions from `low` to `high`. */
export interface Span {
  readonly low: number;
  readonly high: number;
}

/** The intended change of a write. `version` and `uid` are its preconditions. */
export type Intent =
  | { readonly verb: 'create'; readonly sent: ApiObject }
  /** Replaces the whole object, based on a version or on the current one. */
  | { readonly verb: 'update'; readonly sent: ApiObject; readonly version: number | undefined }
  /** Sets one annotation. */
  | { readonly verb: 'annotate'; readonly annotation: string; readonly value: string }
  /** Sets the status, and the metadata if the whole object is sent. */
  | { readonly verb: 'status'; readonly status: Fields; readonly sent: ApiObject | undefined; readonly version: number | undefined }
  | { readonly verb: 'delete'; readonly uid: string | undefined; readonly version: number | undefined };

type Fields = Readonly<Record<string, unknown>>;

/** A write and its result. */
export interface WriteRecord {
  readonly resource: Resource;
  readonly key: ObjectKey;
  readonly intent: Intent;
  readonly span: Span;
  readonly outcome: { readonly object: ApiObject } | { readonly code: number; readonly reason: string; readonly message: string };
}

export interface GetRecord {
  readonly resource: Resource;
  readonly key: ObjectKey;
  readonly span: Span;
  /** Undefined if the object was not found. */
  readonly object: ApiObject | undefined;
}

/** A paginated list call: all its pages, or those that were read before its snapshot was compacted. */
export interface ListRecord {
  readonly kind: TestedKind;
  readonly scope: Scope;
  readonly span: Span;
  /** The version that an exact list requests. */
  readonly requestedVersion: number | undefined;
  readonly pages: readonly {
    readonly version: number;
    readonly items: readonly ApiObject[];
    readonly remainingItemCount: number | undefined;
  }[];
  /** True if all pages were read. */
  readonly isComplete: boolean;
  /** Set if a page was refused as expired, with the compacted version at that time. */
  readonly expiry: { readonly compactedVersion: number | undefined } | undefined;
}

/** A deletecollection call, with the keys of the objects in its response. */
export interface DeleteCollectionRecord {
  readonly resource: Resource;
  readonly span: Span;
  readonly keys: readonly string[];
}

/** One watch from start to end. */
export interface WatchRecord {
  readonly kind: TestedKind;
  readonly scope: Scope;
  /** The start version; undefined for initial objects. */
  readonly startVersion: number | undefined;
  readonly allowsBookmarks: boolean;
  /** The newest version when the watch was started. */
  readonly newestVersionAtStart: number;
  readonly events: WatchEvent[];
  state: 'open' | 'ended' | 'expired';
  /** The compacted version when the watch expired. */
  compactedVersion: number | undefined;
}

/** Whether a write failed because the journal refused it; it must have no effect. */
export const isUnsaved = ({ code, message }: { readonly code: number; readonly message: string }): boolean =>
  code === 500 && message.startsWith('the write could not be saved');

/** All calls to a server with their answers. */
export interface Records {
  readonly writes: WriteRecord[];
  readonly gets: GetRecord[];
  readonly lists: ListRecord[];
  readonly deleteCollections: DeleteCollectionRecord[];
  readonly watches: WatchRecord[];
  /** Unexpected errors. */
  readonly problems: string[];
}

export const createRecords = (): Records => ({ writes: [], gets: [], lists: [], deleteCollections: [], watches: [], problems: [] });
