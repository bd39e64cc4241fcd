/** Requests as data. Both servers are sent the same, apart from what earlier answers of each are quoted in it. */
export interface Step {
  readonly method: string;
  /** With the query. `{{name.metadata.uid}}` stands for a field of the answer to the step that is called `name`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent as it is, placeholders included; anything else as JSON. */
  readonly body?: unknown;
  /** What placeholders of later steps call the answer to this one. */
  readonly as?: string;
  /** Leaves of a body what is to be compared. */
  readonly view?: (body: unknown) => unknown;
  readonly watch?: WatchPlan;
  /** Repeats the request until this holds of the answer, for a while. The last answer is compared. */
  readonly until?: (answer: { readonly code: number; readonly body: unknown }) => boolean;
}

export interface WatchPlan {
  /** Sent once the watch has begun. */
  readonly during: readonly Step[];
  /** The watch is closed after so many events; absent: when the server ends it. */
  readonly events?: number;
}

export interface Topic {
  readonly name: string;
  readonly steps: readonly Step[];
}

type Options = Pick<Step, 'headers' | 'as' | 'view' | 'until'>;

/** The body of a request: an earlier answer with changes. A change is a JSON merge patch. */
export interface Edited {
  readonly edited: string;
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

export const strategic = (path: string, body: unknown, options: Options = {}): Step =>
  withBody('PATCH', path, body, 'application/strategic-merge-patch+json', options);

/** A server-side apply; `path` says by which field manager, and whether by force. */
export const apply = (path: string, body: unknown, options: Options = {}): Step =>
  withBody('PATCH', path, body, 'application/apply-patch+yaml', options);

/** Watches `path` until so many events have come, and sends other requests meanwhile. */
export const watch = (path: string, events: number, during: readonly Step[] = [], options: Options = {}): Step => ({
  method: 'GET',
  path,
  watch: { during, events },
  ...options,
});

/** Watches `path` until the server ends it. */
export const watchToEnd = (path: string, during: readonly Step[] = [], options: Options = {}): Step => ({
  method: 'GET',
  path,
  watch: { during },
  ...options,
});

export const edit = (name: string, changes: object): Edited => ({ edited: name, changes });

/** With another Content-Type than the one the method sends by itself. */
export const typed = (type: string, step: Step): Step => ({ ...step, headers: { ...step.headers, 'content-type': type } });

/** Asks for an answer in another form. */
export const accepting = (type: string, step: Step): Step => ({ ...step, headers: { ...step.headers, accept: type } });

/** The path of a resource in the core group. */
export const core = (namespace: string, resource: string, rest = ''): string => `/api/v1/namespaces/${namespace}/${resource}${rest}`;

export const inGroup = (group: string, namespace: string, resource: string, rest = ''): string =>
  `/apis/${group}/namespaces/${namespace}/${resource}${rest}`;

export const newNamespace = (name: string, options: Options = {}): Step =>
  post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, options);

const JSON_TYPE = 'application/json';

function withBody(method: string, path: string, body: unknown, type: string, { headers, ...options }: Options): Step {
  return { method, path, body, headers: { 'content-type': type, ...headers }, ...options };
}
