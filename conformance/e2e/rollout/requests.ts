import type { ApiObject } from 'kube-endpoints/port';
import type { Http } from '../apiserver/target/http.ts';

/** Requests of a row's components to the API server. */
export interface Requests {
  /** The object, or undefined if it does not exist. @throws Error for other answers */
  send(method: string, path: string, body?: object, type?: string): Promise<ApiObject | undefined>;
  /** The code of the answer, for requests whose refusal is expected. */
  try(method: string, path: string, body: object): Promise<number>;
}

export const mergePatch = 'application/merge-patch+json';
export const strategicMergePatch = 'application/strategic-merge-patch+json';

export function createRequests(http: Http): Requests {
  const exchange = (method: string, path: string, body?: object, type = 'application/json'): ReturnType<Http['send']> =>
    http.send({ method, path, headers: { 'content-type': type }, body: body && JSON.stringify(body) });
  return {
    async send(method, path, body, type) {
      const { code, text } = await exchange(method, path, body, type);
      if (code === 404) return undefined;
      if (code >= 300) throw new Error(`${method} ${path}: ${code} ${text.slice(0, 500)}`);
      return JSON.parse(text) as ApiObject;
    },
    async try(method, path, body) {
      const { code } = await exchange(method, path, body);
      return code;
    },
  };
}

/** The path of a collection, or of one object of it. */
export function pathOf(kind: string, namespace?: string, name?: string): string {
  const group = groups[kind];
  if (group === undefined) throw new Error(`there is no path of ${kind}`);
  const scope = namespace === undefined ? '' : `/namespaces/${namespace}`;
  return `${group}${scope}/${kind.toLowerCase()}s${name === undefined ? '' : `/${name}`}`;
}

const groups: Readonly<Record<string, string>> = {
  Node: '/api/v1',
  Namespace: '/api/v1',
  Pod: '/api/v1',
  Service: '/api/v1',
  EndpointSlice: '/apis/discovery.k8s.io/v1',
  Deployment: '/apis/apps/v1',
  ReplicaSet: '/apis/apps/v1',
  StatefulSet: '/apis/apps/v1',
  PodDisruptionBudget: '/apis/policy/v1',
};
