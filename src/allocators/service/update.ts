import { newest } from '../../versions/index.ts';
import { type AllocatorVersion, allocatorSettings } from '../gates.ts';
import { type Draft, draftOf, isHeadless, needsClusterIP } from './draft.ts';
import { type Causes, collectCauses } from './failures.ts';
import type { AllocatableService, StatusCause } from './types.ts';

/**
 * What an update may not change about cluster IPs and families: the causes, in the order in which validation lists them. The service
 * is that of `beginUpdate` from 1.21 on; before, the one that the client sent. Mirrors validateUpgradeDowngradeClusterIPs and
 * validateUpgradeDowngradeIPFamilies (pkg/apis/core/validation/validation.go, 1.36), and the first lines of ValidateServiceUpdate (1.17).
 */
export function validateClusterIPsUpdate(
  service: AllocatableService,
  old: AllocatableService,
  { version = newest }: AllocatorVersion = {},
): readonly StatusCause[] {
  const settings = allocatorSettings(version);
  const [after, before] = [draftOf(service), draftOf(old)];
  const causes = collectCauses(settings.badValuesAsJSON);
  if (!needsClusterIP(after) || !needsClusterIP(before)) return causes.list;
  if (settings.dualStackServices) {
    checkClusterIPs(after, before, causes);
    checkFamilies(after, before, causes);
  } else if (before.clusterIP !== '' && before.clusterIP !== after.clusterIP) {
    causes.invalid('spec.clusterIP', after.clusterIP, 'field is immutable');
  }
  return causes.list;
}

const fixed = 'may not change once set';

function checkClusterIPs(after: Draft, before: Draft, causes: Causes): void {
  if (isHeadless(after) && isHeadless(before)) return;
  const complain = (place: number, detail: string): void => causes.invalid(`spec.clusterIPs[${place}]`, after.clusterIPs, detail);
  if (after.clusterIPs.length === before.clusterIPs.length) {
    for (const [i, ip] of before.clusterIPs.entries()) if (ip !== after.clusterIPs[i]) complain(i, fixed);
    return;
  }
  if (after.clusterIPs.length === 0) complain(0, 'primary clusterIP can not be unset');
  else if (before.clusterIPs.length > 0 && after.clusterIPs[0] !== before.clusterIPs[0]) complain(0, fixed);
  if (after.clusterIPs.length === 1 && before.clusterIPs.length > 1) checkReleases('clusterIP', after, causes);
}

/** Where lengths differ the original prints the cluster IPs as the bad value. */
function checkFamilies(after: Draft, before: Draft, causes: Causes): void {
  if (isHeadless(after) || isHeadless(before)) return;
  if (after.ipFamilies.length === before.ipFamilies.length) {
    for (const [i, family] of before.ipFamilies.entries()) {
      if (family !== after.ipFamilies[i]) causes.invalid('spec.ipFamilies[0]', after.ipFamilies, fixed);
    }
    return;
  }
  const fewer = after.ipFamilies.length < before.ipFamilies.length;
  if (fewer && after.clusterIPs.length === 0) causes.invalid('spec.ipFamilies[0]', after.ipFamilies, 'primary ipFamily can not be unset');
  const [first, firstBefore] = [after.ipFamilies[0], before.ipFamilies[0]];
  if (first !== undefined && firstBefore !== undefined && first !== firstBefore)
    causes.invalid('spec.ipFamilies[0]', after.clusterIPs, fixed);
  if (fewer && after.ipFamilies.length === 1) checkReleases('ipFamily', after, causes);
}

function checkReleases(what: string, { ipFamilyPolicy }: Draft, causes: Causes): void {
  if (ipFamilyPolicy === 'SingleStack') return;
  causes.invalid('spec.ipFamilyPolicy', ipFamilyPolicy || null, `must be set to 'SingleStack' when releasing the secondary ${what}`);
}
