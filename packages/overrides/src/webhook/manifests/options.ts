/** An object of the API, to be applied. */
export type Manifest = Readonly<Record<string, unknown>> & { readonly apiVersion: string; readonly kind: string };

export interface ConfigurationOptions {
  /** Of the webhook's Service, and of everything that is made beside it. */
  readonly name: string;
  readonly namespace: string;
  /** What the API server is to trust, in PEM. */
  readonly ca?: string | undefined;
  /** In its place: "namespace/name" of a Certificate whose authority cert-manager is to fill in. */
  readonly injectCaFrom?: string | undefined;
  /** "Ignore" by default: where the webhook cannot be asked, endpoints are written as they are. */
  readonly failurePolicy?: 'Ignore' | 'Fail' | undefined;
  /** 1 to 30; 5 by default. */
  readonly timeoutSeconds?: number | undefined;
  /** "IfNeeded" by default: asked again where another webhook changed the object after it. */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded' | undefined;
  /** Whose endpoints are left alone, beside those of its own namespace. */
  readonly excludeNamespaces?: readonly string[] | undefined;
}

export interface ManifestOptions extends ConfigurationOptions {
  readonly image?: string | undefined;
  /** 2 by default. */
  readonly replicas?: number | undefined;
  /** Files of rules, by name: they become a ConfigMap that the webhook reads again when it changes. */
  readonly rules: Readonly<Record<string, string>>;
  /** Of a Secret with tls.crt and tls.key; by default the name with "-tls" behind it. */
  readonly tlsSecret?: string | undefined;
  /** Whether it may look at Services, pods and slices, and have Services synced. By default it may. */
  readonly connected?: boolean | undefined;
}
