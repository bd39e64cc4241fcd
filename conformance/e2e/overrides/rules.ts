import { renameSync, writeFileSync } from 'node:fs';
import { ipOf, members } from './fleet.ts';

/** Seconds until a pod that became ready is shown as ready. */
export const holdSeconds = 3;
/** Addresses that are forbidden in endpoints. */
export const forbiddenRange = '10.66.0.0/16';
export const minReady = 2;

/** @param excludedPod index of the pod of each Service that is kept out */
export const createRulesText = (excludedPod: number): string => `apiVersion: kube-endpoints/v1
kind: EndpointOverrides
rules:
  - name: fence
    action: { refuse: { forbidden: ["${forbiddenRange}"] } }
  - name: drain
    match: { services: ["out-*"] }
    addresses: { ranges: [${excludedIPs(excludedPod)
      .map((ip) => JSON.stringify(ip))
      .join(', ')}] }
    action: { keepOut: {} }
  - name: calm
    match: { services: ["calm-*"] }
    action: { hold: { afterReady: ${holdSeconds} } }
  - name: never-empty
    match: { services: ["full-*"] }
    action: { keepReady: { atLeast: ${minReady} } }
`;

const excludedIPs = (excludedPod: number): string[] =>
  members.filter(({ role }) => role === 'out').map((member) => ipOf(member, excludedPod));

/** Replaces a file atomically, like an editor and the kubelet. */
export function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}
