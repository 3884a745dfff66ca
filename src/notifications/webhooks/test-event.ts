/** An event about nothing: it shows a merchant whether the endpoint works. */
export const TEST_EVENT = 'webhook.test';
