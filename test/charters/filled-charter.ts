import type { Charter } from '../../src/trusted/charter/charter.ts'

/**
 * Everything that may be there is there, and no list is empty: a field that is added is missed here by the compiler.
 */
type Filled<T> = T extends readonly (infer One)[]
  ? readonly [Filled<One>, ...Filled<One>[]]
  : T extends object
    ? { readonly [K in keyof T]-?: Filled<T[K]> }
    : T

const times = { createdAt: 1_790_000_000_000, updatedAt: 1_790_000_000_001 }
const id = (n: number): string => `01a1fb67-0000-7000-8000-${String(n).padStart(12, '0')}`

export const filledCharter = {
  organizationId: id(1),
  organizationName: 'Zoë & Söhne',
  parentId: id(2),
  version: 41,
  deleted: false,
  ...times,
  rootQuorum: { threshold: 1, userIds: [id(3)] },
  features: [{ name: 'FEATURE_NAME_WEBAUTHN_ORIGINS', value: 'https://app.example' }],
  users: [
    {
      userId: id(3),
      userName: 'Ada',
      userEmail: 'ada@example.com',
      emailVerified: true,
      userPhoneNumber: '+15550100',
      phoneNumberVerified: true,
      userTags: [id(4)],
      apiKeys: [
        {
          apiKeyId: id(5),
          apiKeyName: 'Laptop',
          publicKey: '02c3783dd769e9d157f859a78ef764d524de652b486ca0023173afc655fe9cda7d',
          type: 'CREDENTIAL_TYPE_API_KEY_P256',
          expirationSeconds: 900,
          proven: true,
          session: { sessionProfileId: id(6), scope: "activity.action == 'SIGN'" },
          ...times,
        },
      ],
      authenticators: [
        {
          authenticatorId: id(7),
          authenticatorName: 'Phone',
          credentialId: 'Y3JlZGVudGlhbA',
          publicKey: 'pQECAyYgASFYIA',
          aaguid: '00000000-0000-0000-0000-000000000000',
          attestationType: 'none',
          model: 'Phone',
          transports: ['AUTHENTICATOR_TRANSPORT_INTERNAL'],
          proven: true,
          ...times,
        },
      ],
      oauthProviders: [
        {
          providerId: id(8),
          providerName: 'Google',
          issuer: 'https://accounts.google.com',
          audience: 'client.example',
          subject: '117',
          isClaimed: true,
          ...times,
        },
      ],
      walletAuthenticators: [
        {
          walletAuthenticatorId: id(15),
          type: 'WALLET_AUTHENTICATOR_TYPE_ETHEREUM',
          address: '0xe91F454F985c19207080378FE0f5A47DAeca2B3E',
          domain: 'app.example.com',
          proven: true,
          ...times,
        },
      ],
      mfaPolicies: [
        {
          mfaPolicyId: id(9),
          mfaPolicyName: 'Twice',
          condition: 'true',
          required: [{ any: [{ type: 'AUTHENTICATION_TYPE_PASSKEY', id: id(7) }] }],
          order: 0,
          notes: 'both',
          ...times,
        },
      ],
      ...times,
    },
  ],
  tags: [{ tagId: id(4), tagName: 'Treasury', tagType: 'TAG_TYPE_USER', ...times }],
  policies: [
    {
      policyId: id(10),
      policyName: 'Two sign',
      effect: 'EFFECT_ALLOW',
      condition: "activity.action == 'SIGN'",
      consensus: 'approvers.count() >= 2',
      time: 'time.hour < 18',
      notes: 'in the day',
      ...times,
    },
  ],
  invitations: [
    {
      invitationId: id(11),
      receiverUserName: 'Ben',
      receiverUserEmail: 'ben@example.com',
      receiverUserTags: [id(4)],
      accessType: 'ACCESS_TYPE_ALL',
      senderUserId: id(3),
      status: 'INVITATION_STATUS_CREATED',
      ...times,
    },
  ],
  sessionProfiles: [
    {
      sessionProfileId: id(6),
      sessionProfileName: 'Signing',
      scope: "activity.action == 'SIGN'",
      expirationSeconds: 900,
      notes: 'short',
      ...times,
    },
  ],
  oauth2Credentials: [
    {
      oauth2CredentialId: id(12),
      provider: 'OAUTH2_PROVIDER_X',
      clientId: 'client',
      encryptedClientSecret: '00ff',
      ...times,
    },
  ],
  webhookEndpoints: [
    {
      endpointId: id(13),
      url: 'https://hooks.example/',
      name: 'Hooks',
      isActive: true,
      subscriptions: [{ eventType: 'ACTIVITY_UPDATES', filtersJson: '{}', isActive: true }],
      ...times,
    },
  ],
  ipAllowlists: [
    {
      publicKey: '02c3783dd769e9d157f859a78ef764d524de652b486ca0023173afc655fe9cda7d',
      enabled: true,
      onEvaluationError: 'DENY',
      rules: [{ cidr: '203.0.113.0/24', label: 'Office', createdAt: times.createdAt }],
    },
  ],
  contractInterfaces: [
    { smartContractInterfaceId: id(14), address: '0x0000000000000000000000000000000000000001' },
  ],
  velocityControls: [
    {
      velocityControlId: id(16),
      name: 'Ten an hour',
      identifier: 'hourly',
      dataSource: '{"activityExecution":{}}',
      aggregation: '{}',
      expression: "usage.sum(1, '1h') <= 10",
      ...times,
    },
  ],
} as const satisfies Filled<Charter>
