import { child, type Draft, draftOf, list, sameValue, text } from '../field/read.ts';

/**
 * Drops owner references that are there twice. Mirrors dedupOwnerReferencesAndAddWarning (apiserver/pkg/endpoints/handlers/rest.go, 1.36).
 * @returns what the API server warns of
 */
export function dropDuplicateOwners(draft: Draft): readonly string[] {
  const owners = list(child(draft, 'metadata'), 'ownerReferences');
  const kept = owners.filter((owner, i) => owners.findIndex((each) => sameValue(each, owner)) === i);
  if (kept.length === owners.length) return [];
  draftOf(draft, 'metadata')['ownerReferences'] = kept;
  const uids = owners.filter((owner) => !kept.includes(owner)).map((owner) => text(owner, 'uid'));
  return [`${beginning}; please fix your requests; duplicate UID(s) observed: ${uids.join(', ')}`];
}

const beginning: string = [
  '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, ',
  'and may reject such requests as early as 1.24',
].join('');
