import { renameSync, writeFileSync } from 'node:fs';
import { ipOf, members } from './fleet.ts';

/** Seconds until a pod that became ready is shown as ready. */
export const holdSeconds = 3;
/** Addresses that are forbidden in endpoints. */
export const forbidden = '10.66.0.0/16';
export const keptReady = 2;

/** @param out index of the pod of each Service that is kept out */
export const rulesText = (out: number): string => `apiVersion: kube-endpoints/v1
kind: EndpointOverrides
rules:
  - name: fence
    action: { refuse: { forbidden: ["${forbidden}"] } }
  - name: drain
    match: { services: ["out-*"] }
    addresses: { ranges: [${outOf(out)
      .map((ip) => JSON.stringify(ip))
      .join(', ')}] }
    action: { keepOut: {} }
  - name: calm
    match: { services: ["calm-*"] }
    action: { hold: { afterReady: ${holdSeconds} } }
  - name: never-empty
    match: { services: ["full-*"] }
    action: { keepReady: { atLeast: ${keptReady} } }
`;

const outOf = (out: number): string[] => members.filter(({ role }) => role === 'out').map((member) => ipOf(member, out));

/** Replaces a file atomically, like an editor and the kubelet. */
export function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}
