import type { ApiObject, ObjectKey, Resource, WatchEvent } from 'kube-endpoints/port';
import type { PlayKind, Scope } from './kinds.ts';

/** The versions between which a call was made: it saw one of them, or one in between. */
export interface Span {
  readonly low: number;
  readonly high: number;
}

/** What a write was to change, and where it was to fail. */
export type Intent =
  | { readonly verb: 'create'; readonly sent: ApiObject }
  /** The whole object is replaced; by one that was made from a version, or by whatever there is. */
  | { readonly verb: 'update'; readonly sent: ApiObject; readonly version: number | undefined }
  /** One annotation is set, all else stays. */
  | { readonly verb: 'annotate'; readonly annotation: string; readonly value: string }
  /** The status is set; the metadata too, where the whole object is sent. */
  | { readonly verb: 'status'; readonly status: Fields; readonly sent: ApiObject | undefined; readonly version: number | undefined }
  | { readonly verb: 'delete'; readonly uid: string | undefined; readonly version: number | undefined };

type Fields = Readonly<Record<string, unknown>>;

/** A write, and what it came to. */
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
  /** Absent: there is none. */
  readonly object: ApiObject | undefined;
}

/** A list to its end, or to where its snapshot was forgotten. */
export interface ListRecord {
  readonly kind: PlayKind;
  readonly scope: Scope;
  readonly span: Span;
  /** Of an exact list: the version asked for. */
  readonly exact: number | undefined;
  readonly pages: readonly { readonly version: number; readonly items: readonly ApiObject[]; readonly remaining: number | undefined }[];
  readonly whole: boolean;
  /** Up to where was forgotten when a page was refused. */
  readonly expired: { readonly compacted: number | undefined } | undefined;
}

/** Many objects deleted at once. */
export interface SweepRecord {
  readonly resource: Resource;
  readonly span: Span;
  readonly uids: readonly string[];
}

/** One watch, from its beginning to its end. */
export interface WatchRecord {
  readonly kind: PlayKind;
  readonly scope: Scope;
  /** The version it goes on from; absent: all objects come first. */
  readonly from: number | undefined;
  readonly bookmarks: boolean;
  readonly low: number;
  readonly events: WatchEvent[];
  state: 'open' | 'ended' | 'expired';
  compacted: number | undefined;
}

/** All that was done to a server, and what it said. */
export interface Records {
  readonly writes: WriteRecord[];
  readonly gets: GetRecord[];
  readonly lists: ListRecord[];
  readonly sweeps: SweepRecord[];
  readonly watches: WatchRecord[];
  /** What nobody expected. */
  readonly problems: string[];
}

export const createRecords = (): Records => ({ writes: [], gets: [], lists: [], sweeps: [], watches: [], problems: [] });
