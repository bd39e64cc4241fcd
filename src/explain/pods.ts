import { compareText, type VersionOptions } from '../core/index.ts';
import type { Pod, Service } from '../types/index.ts';
import { profileFor } from '../versions/index.ts';
import { exclusionReasons } from './exclusions.ts';
import type { PodExplanation, Reason } from './explanation.ts';
import { notReadyReason, offerReasons, publishedReason } from './offers.ts';
import { type Place, placements } from './placements.ts';
import { reason } from './reason.ts';

/**
 * What becomes of every pod under a release's rules, and why: one explanation a pod, sorted by namespace and name.
 * @param pods may be every pod there is
 * @throws RangeError for an unknown version
 *
 * A projection of the same verdicts that make the Endpoints: `included` and `ready` are true exactly where
 * `computeEndpoints` has the pod, and has it among the ready addresses.
 */
export function explainEndpoints(service: Service, pods: readonly Pod[], options: VersionOptions = {}): PodExplanation[] {
  const profile = profileFor(options.version);
  const { inquiry, unmanaged, judged, placeOf } = placements(service, pods, profile);
  return judged
    .map(({ pod, offer }): PodExplanation => {
      const name = { namespace: pod.metadata?.namespace ?? '', name: pod.metadata?.name ?? '' };
      const selected = !!service.spec?.selector && inquiry.isSelected(pod);
      const place = offer && placeOf(offer);
      if (!offer || !place) {
        const reasons = unmanaged
          ? [
              reason(unmanaged, unmanaged === 'ServiceHasNoSelector' ? 'service.spec.selector' : 'service.spec.type', profile, {
                found: '',
              }),
            ]
          : exclusionReasons(inquiry, pod, offer !== undefined);
        return { ...name, selected, included: false, ready: false, ports: [], reasons };
      }
      const reasons: Reason[] = [readinessReason(place.ready), ...offerReasons(inquiry, pod, offer)];
      return { ...name, selected, included: true, ready: place.ready, ip: offer.address.ip, ports: place.ports, reasons };

      function readinessReason(ready: Place['ready']): Reason {
        if (!ready) return notReadyReason(pod, profile);
        return publishedReason(inquiry, pod) ?? reason('PodReady', 'pod.status.conditions[Ready].status', profile);
      }
    })
    .sort((a, b) => compareText(a.namespace, b.namespace) || compareText(a.name, b.name));
}
