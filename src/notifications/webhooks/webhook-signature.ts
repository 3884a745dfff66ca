import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { WebhookEndpoint } from '../../database/notifications/webhook-endpoint.entity.js';

/** Standard Webhooks 1.0.0 requires 24 to 64. */
const SECRET_BYTES = 32;

export const newWebhookSecret = (): string =>
  `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

type Secrets = Pick<WebhookEndpoint, 'secret' | 'previousSecret' | 'previousSecretUntil'>;

/** Signature headers; two signatures while a secret is rotated. */
export function signatureHeaders(
  endpoint: Secrets,
  id: string,
  body: string,
  now: Date,
): Readonly<Record<string, string>> {
  const { secret, previousSecret, previousSecretUntil } = endpoint;
  const isRolling = previousSecret !== null && previousSecretUntil! > now;
  const secrets = isRolling ? [secret, previousSecret] : [secret];
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((key) => new Webhook(key).sign(id, now, body)).join(' '),
  };
}
