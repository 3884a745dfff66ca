import { Webhook } from 'standardwebhooks';
import { WebhookSignatureError } from './errors.js';
import type { WebhookEvent } from './types.js';

/** Of `fetch`, or of `node:http`. */
export type WebhookHeaders =
  Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const SIGNED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

/**
 * The event that a request to your endpoint brought.
 * @param body as it came: JSON that was parsed and written again does not verify
 * @param secrets of the endpoint; several while you change from one endpoint to another
 * @throws WebhookSignatureError when none of them signed it within the last five minutes
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
): WebhookEvent {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = Object.fromEntries(SIGNED.map((name) => [name, headerOf(headers, name)]));
  let cause: unknown;
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    try {
      return new Webhook(secret).verify(text, signed) as WebhookEvent;
    } catch (error) {
      cause = error;
    }
  }
  throw new WebhookSignatureError('no secret of yours signed this webhook', { cause });
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return String(value ?? '');
}
