import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { verifyWebhook, WebhookSignatureError } from 'payment-order-client';

const secret = process.env['WEBHOOK_SECRET'] ?? '';

createServer(async (request, response) => {
  try {
    const event = verifyWebhook(await text(request), request.headers, secret);
    if (event.type === 'order.paid') {
      console.log(event.data.orderMerchantId, event.data.amountReceived, event.sequence);
    }
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof WebhookSignatureError ? 400 : 503).end();
  }
}).listen(4000);
