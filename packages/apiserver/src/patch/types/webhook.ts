/** The types of webhook configurations (Kubernetes 1.36); type-text.ts describes the notation. */
export const webhookTypes = `
MatchCondition
  expression:s name:s=""
MutatingWebhook
  admissionReviewVersions:[]s clientConfig:admissionregistration.WebhookClientConfig failurePolicy:s
  matchConditions:[name]MatchCondition|merge|name matchPolicy:s name:s="" namespaceSelector:*LabelSelector objectSelector:*LabelSelector
  reinvocationPolicy:s rules:[]RuleWithOperations sideEffects:s timeoutSeconds:n
MutatingWebhookConfiguration
  apiVersion:s kind:s metadata:ObjectMeta webhooks:[name]MutatingWebhook|merge|name
RuleWithOperations
  apiGroups:[]s apiVersions:[]s operations:[]s resources:[]s scope:s
ValidatingWebhook
  admissionReviewVersions:[]s clientConfig:admissionregistration.WebhookClientConfig failurePolicy:s
  matchConditions:[name]MatchCondition|merge|name matchPolicy:s name:s="" namespaceSelector:*LabelSelector objectSelector:*LabelSelector
  rules:[]RuleWithOperations sideEffects:s timeoutSeconds:n
ValidatingWebhookConfiguration
  apiVersion:s kind:s metadata:ObjectMeta webhooks:[name]ValidatingWebhook|merge|name
admissionregistration.ServiceReference
  name:s namespace:s path:s port:n
admissionregistration.WebhookClientConfig
  caBundle:s service:*admissionregistration.ServiceReference url:s
`;
