import type { ApiObject } from 'kube-endpoints/port';
import { applyJsonPatch, applyMergePatch, type PatchedDocument } from '../patch/index.ts';
import type { ObjectView } from '../registry/catalog.ts';
import { bytesOf, parseBody, requireObject } from './bodies.ts';
import { type Call, callerOf, keyOf, type Result } from './call.ts';
import { requireKind, type Wanted } from './kinds.ts';
import { writeQuery } from './parameters.ts';
import { type ReadPatch, readPatch } from './patches.ts';
import { requireSameObject } from './writes.ts';

/** Updates an object by another form of it, such as a Scale. */
export async function updateView(call: Call): Promise<Result> {
  const { face, request } = call;
  const query = writeQuery(request.query, 'UpdateOptions');
  const bytes = await bytesOf(face, request);
  const wanted = wantedOf(call);
  const parsed = await parseBody(face, bytes, request.headers['content-type']);
  const body = requireObject(parsed, wanted, bytes);
  requireKind(face.catalog, wanted, body, bytes);
  const shown = body as unknown as ApiObject;
  requireSameObject(call, shown);
  return write(call, query, () => shown);
}

/** Patches an object by another form of it. What is applied is merged: of so small an object, it comes to the same. */
export async function patchView(call: Call): Promise<Result> {
  const read = await readPatch(call);
  return write(call, read.query, (shown) => {
    const { value } = patched(shown, read);
    requireSameObject(call, value as ApiObject);
    return value as ApiObject;
  });
}

async function write(call: Call, query: ReadPatch['query'], change: (shown: ApiObject) => ApiObject): Promise<Result> {
  const { face, served } = call;
  const view = viewOf(call);
  const { force: _, ...options } = query;
  const object = await face.registry.update(
    served.resource,
    keyOf(call),
    (current) => {
      const before = current as ApiObject;
      const next = change((view.base ?? view.show)(before));
      const { resourceVersion = before.metadata.resourceVersion } = next.metadata;
      const applied = view.apply(before, next);
      return { ...applied, metadata: { ...applied.metadata, ...(resourceVersion !== undefined && { resourceVersion }) } };
    },
    { ...options, ...callerOf(call), ...(call.subresource && { managedAs: call.subresource.name }) },
  );
  return { object: view.show(object) };
}

function patched(shown: ApiObject, { type, value, query }: ReadPatch): PatchedDocument {
  const object = shown as unknown as Record<string, unknown>;
  if (type === 'json') return applyJsonPatch(object, value, query.fieldValidation);
  return applyMergePatch(object, value, query.fieldValidation);
}

function viewOf({ subresource }: Call): ObjectView {
  if (!subresource?.view) throw new TypeError('the subresource is no view');
  return subresource.view;
}

function wantedOf({ subresource, served }: Call): Wanted {
  const { group, version, kind } = subresource?.type ?? served.resource;
  return { group, version, kind, internal: `${group.split('.')[0]}.${kind}` };
}
