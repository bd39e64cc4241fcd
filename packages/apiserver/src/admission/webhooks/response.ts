import { parseReview, type ReviewVersion } from '../../webhook-client/index.ts';
import type { DenialStatus } from '../denial.ts';

/** The content of a webhook's answer. */
export interface Verdict {
  readonly allowed: boolean;
  readonly status?: DenialStatus;
  readonly warnings: readonly string[];
  /** The text of a patch and its type; absent if the answer has no patch. */
  readonly patch?: { readonly type: string; readonly text: string };
}

/** The answer can be decoded but does not match the request. */
export class InvalidResponse extends Error {}

interface AdmissionResponse {
  readonly uid?: string;
  readonly allowed?: boolean;
  readonly status?: DenialStatus;
  readonly patch?: string;
  readonly patchType?: string;
  readonly warnings?: readonly string[];
}

/**
 * Decodes an answer in JSON or YAML and checks that it matches the request.
 *
 * Mirrors the decoder of the webhooks' client and VerifyAdmissionResponse (1.36, apiserver/pkg/admission/plugin/webhook/request).
 * @throws UnreadableResponse if the answer cannot be decoded; InvalidResponse if it does not match the request
 */
export async function parseVerdict(
  text: string,
  expectedReview: { readonly uid: string; readonly version: ReviewVersion },
  mutates: boolean,
): Promise<Verdict> {
  const review = await parseReview(text, { group: 'admission.k8s.io', kind: 'AdmissionReview', version: expectedReview.version });
  const { response, gvk } = review as { readonly response?: AdmissionResponse; readonly gvk: string };
  if (!response) throw new InvalidResponse('webhook response was absent');
  const verdict = {
    allowed: response.allowed === true,
    warnings: response.warnings ?? [],
    ...(response.status && { status: response.status }),
  };
  if (expectedReview.version === 'v1beta1') {
    // Upstream does not verify answers of v1beta1 any further.
    return mutates && response.patch ? { ...verdict, patch: { type: 'JSONPatch', text: decodeBase64(response.patch) } } : verdict;
  }
  const { uid = '' } = response;
  if (uid !== expectedReview.uid)
    throw new InvalidResponse(`expected response.uid=${JSON.stringify(expectedReview.uid)}, got ${JSON.stringify(uid)}`);
  const expectedGvk = 'admission.k8s.io/v1, Kind=AdmissionReview';
  if (gvk !== expectedGvk) throw new InvalidResponse(`expected webhook response of ${expectedGvk}, got ${gvk}`);
  const patch = (mutates ? parsePatch : requireNoPatch)(response);
  return patch ? { ...verdict, patch } : verdict;
}

function parsePatch({ patch = '', patchType }: AdmissionResponse): Verdict['patch'] {
  if (patch !== '' && patchType === undefined) throw new InvalidResponse('webhook returned response.patch but not response.patchType');
  if (patch === '' && patchType !== undefined) throw new InvalidResponse('webhook returned response.patchType but not response.patch');
  if (patchType === '') throw new InvalidResponse('webhook returned invalid response.patchType of ""');
  return patchType === undefined ? undefined : { type: patchType, text: decodeBase64(patch) };
}

function requireNoPatch({ patch = '', patchType }: AdmissionResponse): undefined {
  if (patch !== '') throw new InvalidResponse('validating webhook may not return response.patch');
  if (patchType !== undefined) throw new InvalidResponse('validating webhook may not return response.patchType');
}

const decodeBase64 = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8');
