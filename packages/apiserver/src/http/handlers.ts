import type { Verb } from '../registry/catalog.ts';
import type { Call, Handler } from './call.ts';
import { remove, removeCollection } from './deletions.ts';
import { patch } from './patches.ts';
import { bind, evict } from './pod-subresources.ts';
import { get, listOrWatch } from './reads.ts';
import { patchView, updateView } from './views.ts';
import { create, update } from './writes.ts';

type Handlers = Readonly<Partial<Record<Verb, Handler>>>;

/** What is done for a request; undefined where its verb is served, and yet nobody knows how. */
export function handlerOf({ served, subresource, verb }: Pick<Call, 'served' | 'subresource' | 'verb'>): Handler | undefined {
  if (served.resource.kind === 'Binding') return bind;
  if (!subresource) return ofResources[verb];
  const own = ofPods[subresource.name];
  if (own && verb === 'create') return own;
  return (subresource.view ? ofViews : ofSubresources)[verb];
}

const ofResources: Handlers = {
  create,
  delete: remove,
  deletecollection: removeCollection,
  get,
  list: listOrWatch,
  patch,
  update,
};

const ofSubresources: Handlers = { get, patch, update };

const ofViews: Handlers = { get, patch: patchView, update: updateView };

const ofPods: Readonly<Record<string, Handler>> = { binding: bind, eviction: evict };
