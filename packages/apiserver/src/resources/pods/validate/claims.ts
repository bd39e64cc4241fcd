import { dns1123Label, dns1123Subdomain } from '../../../formats/names.ts';
import { type Causes, validateFormat } from '../../field/causes.ts';
import { type Fields, has, list, text } from '../../field/read.ts';

/** The claim names that containers of the pod can reference. */
export const claimNames = (spec: Fields): readonly string[] =>
  list(spec, 'resourceClaims')
    .map((claim) => text(claim, 'name'))
    .filter((name) => name !== '');

const sources = ['resourceClaimName', 'resourceClaimTemplateName'] as const;

/** Mirrors validatePodResourceClaims (pkg/apis/core/validation, 1.36). */
export function validatePodClaims(spec: Fields, isMirror: boolean, causes: Causes): void {
  const claims = list(spec, 'resourceClaims');
  const names = claims.map((claim) => text(claim, 'name'));
  for (const [i, claim] of claims.entries()) {
    const [field, name] = [`spec.resourceClaims[${i}]`, names[i] as string];
    if (isMirror) {
      // Upstream's empty field path prints as "[]".
      causes.forbidden('[]', 'static pods do not support resource claims');
      continue;
    }
    if (name === '') causes.required(`${field}.name`);
    else if (names.indexOf(name) < i) causes.duplicate(`${field}.name`, name);
    else validateFormat(name, dns1123Label, `${field}.name`, causes);
    const specifiedSources = sources.filter((source) => has(claim, source));
    const sourceList = '`resourceClaimName`, `resourceClaimTemplateName`';
    if (specifiedSources.length === 0) causes.invalid(field, printClaim(claim), `must specify one of: ${sourceList}`);
    else if (specifiedSources.length > 1)
      causes.invalid(field, printClaim(claim), `at most one of ${sourceList.replace(', ', ' or ')} may be specified`);
    for (const source of specifiedSources) validateFormat(text(claim, source), dns1123Subdomain, `${field}.${source}`, causes);
  }
}

/** Upstream prints its internal type. */
const printClaim = (claim: Fields): Fields => ({
  Name: text(claim, 'name'),
  ResourceClaimName: claim['resourceClaimName'] ?? null,
  ResourceClaimTemplateName: claim['resourceClaimTemplateName'] ?? null,
});

/** Mirrors validatePodResourceClaimStatuses. */
export function validateClaimStatuses(status: Fields, spec: Fields, causes: Causes): void {
  const names = list(status, 'resourceClaimStatuses').map((each) => text(each, 'name'));
  const specClaims = list(spec, 'resourceClaims').map((claim) => text(claim, 'name'));
  for (const [i, name] of names.entries()) {
    const field = `status.resourceClaimStatuses[${i}].name`;
    if (!specClaims.includes(name)) causes.invalid(field, name, 'must match the name of an entry in `spec.resourceClaims`');
    if (names.indexOf(name) < i) causes.duplicate(field, name);
  }
  for (const [i, each] of list(status, 'resourceClaimStatuses').entries()) {
    const field = `status.resourceClaimStatuses[${i}].resourceClaimName`;
    if (has(each, 'resourceClaimName')) validateFormat(text(each, 'resourceClaimName'), dns1123Subdomain, field, causes);
  }
}
