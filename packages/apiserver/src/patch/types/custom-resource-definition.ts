/** The types of CustomResourceDefinitions (Kubernetes 1.36); type-text.ts describes the notation. */
export const customResourceDefinitionTypes = `
CustomResourceColumnDefinition
  description:s format:s jsonPath:s name:s priority:n type:s
CustomResourceConversion
  strategy:s webhook:*WebhookConversion
CustomResourceDefinition
  apiVersion:s kind:s metadata:ObjectMeta spec:CustomResourceDefinitionSpec status:CustomResourceDefinitionStatus
CustomResourceDefinitionCondition
  lastTransitionTime:u message:s observedGeneration:n reason:s status:s type:s=""
CustomResourceDefinitionNames
  categories:[]s kind:s listKind:s plural:s shortNames:[]s singular:s
CustomResourceDefinitionSpec
  conversion:*CustomResourceConversion group:s names:CustomResourceDefinitionNames preserveUnknownFields:b scope:s
  versions:[]CustomResourceDefinitionVersion
CustomResourceDefinitionStatus
  acceptedNames:CustomResourceDefinitionNames conditions:[type]CustomResourceDefinitionCondition observedGeneration:n storedVersions:[]s
CustomResourceDefinitionVersion
  additionalPrinterColumns:[]CustomResourceColumnDefinition deprecated:b deprecationWarning:s name:s schema:*CustomResourceValidation
  selectableFields:[]SelectableField served:b storage:b subresources:*CustomResourceSubresources
CustomResourceSubresourceScale
  labelSelectorPath:s specReplicasPath:s statusReplicasPath:s
CustomResourceSubresources
  scale:*CustomResourceSubresourceScale status:{}deduced
CustomResourceValidation
  openAPIV3Schema:*JSONSchemaProps
ExternalDocumentation
  description:s url:s
JSONSchemaProps
  $ref:s $schema:s additionalItems:deduced additionalProperties:deduced allOf:[]JSONSchemaProps anyOf:[]JSONSchemaProps default:deduced
  definitions:{}JSONSchemaProps dependencies:{}deduced description:s enum:[]deduced example:deduced exclusiveMaximum:b
  exclusiveMinimum:b externalDocs:*ExternalDocumentation format:s id:s items:deduced maxItems:n maxLength:n maxProperties:n maximum:n
  minItems:n minLength:n minProperties:n minimum:n multipleOf:n not:*JSONSchemaProps nullable:b oneOf:[]JSONSchemaProps pattern:s
  patternProperties:{}JSONSchemaProps properties:{}JSONSchemaProps required:[]s title:s type:s uniqueItems:b
  x-kubernetes-embedded-resource:b x-kubernetes-int-or-string:b x-kubernetes-list-map-keys:[]s x-kubernetes-list-type:s
  x-kubernetes-map-type:s x-kubernetes-preserve-unknown-fields:b x-kubernetes-validations:[rule]ValidationRule|merge|rule
SelectableField
  jsonPath:s
ValidationRule
  fieldPath:s message:s messageExpression:s optionalOldSelf:b reason:s rule:s=""
WebhookConversion
  clientConfig:*apiextensions.WebhookClientConfig conversionReviewVersions:[]s
apiextensions.ServiceReference
  name:s namespace:s path:s port:n
apiextensions.WebhookClientConfig
  caBundle:s service:*apiextensions.ServiceReference url:s
`;
