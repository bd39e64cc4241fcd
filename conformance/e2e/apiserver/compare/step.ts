/** A request as data. Both servers receive the same request, except for values from their own earlier answers. */
export interface Step {
  readonly method: string;
  /** With the query. `{{name.metadata.uid}}` is replaced by a field of the answer to the step named `name`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes are sent unchanged, a string apart from placeholders; anything else as JSON, or in protobuf if the Content-Type says so. */
  readonly body?: unknown;
  /** The name of this answer in placeholders of later steps. */
  readonly saveAs?: string;
  /** Selects the part of the body to compare. */
  readonly view?: (body: unknown) => unknown;
  readonly watch?: WatchPlan;
  /** Repeats the request until the answer satisfies this, up to a timeout. The last answer is compared. */
  readonly until?: (answer: { readonly code: number; readonly body: unknown }) => boolean;
}

export interface WatchPlan {
  /** Sent once the watch has begun. */
  readonly during: readonly Step[];
  /** Closes the watch after this many events; by default, the server ends it. */
  readonly events?: number;
}

export interface Topic {
  readonly name: string;
  readonly steps: readonly Step[];
  /** Starts what both servers call, before the steps. */
  readonly start?: () => Promise<StartedService>;
}

/** A service of a topic that both servers call. */
export interface StartedService {
  /** Placeholders of the steps: `{{service.port}}` is replaced by the value of `port`. */
  readonly values: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

type Options = Pick<Step, 'headers' | 'saveAs' | 'view' | 'until'>;

/** A request body: the earlier answer that was saved as `answerName`, changed by a JSON merge patch. */
export interface EditedAnswer {
  readonly answerName: string;
  readonly changes: object;
}

export const get = (path: string, options: Options = {}): Step => ({ method: 'GET', path, ...options });

export const post = (path: string, body: unknown, options: Options = {}): Step => withBody('POST', path, body, JSON_TYPE, options);

export const put = (path: string, body: unknown, options: Options = {}): Step => withBody('PUT', path, body, JSON_TYPE, options);

export const remove = (path: string, body?: unknown, options: Options = {}): Step =>
  body === undefined ? { method: 'DELETE', path, ...options } : withBody('DELETE', path, body, JSON_TYPE, options);

export const jsonPatch = (path: string, body: unknown, options: Options = {}): Step =>
  withBody('PATCH', path, body, 'application/json-patch+json', options);

export const mergePatch = (path: string, body: unknown, options: Options = {}): Step =>
  withBody('PATCH', path, body, 'application/merge-patch+json', options);

export const strategicPatch = (path: string, body: unknown, options: Options = {}): Step =>
  withBody('PATCH', path, body, 'application/strategic-merge-patch+json', options);

/** A server-side apply; `path` contains the field manager and `force`. */
export const apply = (path: string, body: unknown, options: Options = {}): Step =>
  withBody('PATCH', path, body, 'application/apply-patch+yaml', options);

/** Watches `path` until this number of events have arrived, and sends other requests meanwhile. */
export const watch = (path: string, { events }: { events: number }, during: readonly Step[] = [], options: Options = {}): Step =>
  watchToEnd(path, during, { watch: { during, events }, ...options });

/** Watches `path` until the server ends the watch. */
export const watchToEnd = (path: string, during: readonly Step[] = [], options: Partial<Step> = {}): Step => ({
  method: 'GET',
  path,
  watch: { during },
  ...options,
});

export const editedAnswer = (answerName: string, changes: object): EditedAnswer => ({ answerName, changes });

export const withContentType = (type: string, step: Step): Step => ({ ...step, headers: { ...step.headers, 'content-type': type } });

/** Requests an answer of this media type instead of JSON. */
export const withAccept = (type: string, step: Step): Step => ({ ...step, headers: { ...step.headers, accept: type } });

export const corePath = (namespace: string, resource: string, rest = ''): string => `/api/v1/namespaces/${namespace}/${resource}${rest}`;

export const groupPath = (group: string, namespace: string, resource: string, rest = ''): string =>
  `/apis/${group}/namespaces/${namespace}/${resource}${rest}`;

export const createNamespace = (name: string, options: Options = {}): Step =>
  post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, options);

const JSON_TYPE = 'application/json';

function withBody(method: string, path: string, body: unknown, type: string, { headers, ...options }: Options): Step {
  return { method, path, body, headers: { 'content-type': type, ...headers }, ...options };
}
