// Made from the OpenAPI document of the service by "npm run clients": changes here are lost.

export interface paths {
    "/api/order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an order
         * @description Name the order by exactly one of the two parameters. An `orderMerchantId` that was used again means the newest of its orders.
         */
        get: operations["getOrder"];
        put?: never;
        /**
         * Create an order
         * @description Send the payer to `paymentPageUrl` of the answer.
         *
         *     With an `Idempotency-Key` a repeat gets the first answer again for at least 24 hours, whatever became of the order. Without one, `orderMerchantId` protects: no two orders of one id are ever live. The same content gets the existing order, other content a 409. An order that expired, failed or was cancelled frees its id, also when a part of its money came, and the same request then makes a new order that can be paid: after you restored a backup of yours, read an order before you create it.
         *
         *     Sloppy texts are taken: line breaks become spaces, `eur` is `EUR`, `de_DE` is `de-DE`, an empty e-mail is none. The answer lists each in `warnings`; what was kept decides whether two requests are the same.
         */
        post: operations["createOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/order/{txid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an order by path
         * @deprecated
         * @description By the service’s own name for it. Use `GET /api/order?txid=` instead.
         */
        get: operations["getOrderByTxid"];
        put?: never;
        post?: never;
        /**
         * Cancel an order
         * @description A payment that is under way is stopped at its provider first. While a transfer is awaited, cancelling only means to wait no longer: money that comes all the same is kept apart with the exception `paid_late`. A part of the money that has come stays in `amountReceived` and `exception`, and an operator refunds it: then `order.refunded` is sent. Cancelling a cancelled order changes nothing and succeeds.
         */
        delete: operations["cancelOrder"];
        options?: never;
        head?: never;
        /**
         * Change an order
         * @description An open order can be changed, its amount until money has come or the payer has received transfer details. Of one that awaits a transfer, `expiresAt` cannot become earlier: the payer already has it. The payer sees the change at once, and `order.updated` is sent. With `If-Match` it is changed only when it still has that `ETag`, so that of two programs neither undoes what the other did.
         *
         *     Whether a creation is a repeat is decided by what the first one asked for, whatever was changed since.
         */
        patch: operations["updateOrder"];
        trace?: never;
    };
    "/api/order/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find orders
         * @description The filters of the portal’s list: an order is found when all of them fit. Without any, all orders are. Pass `next` as `after`, with the same filters, for the next page: orders that are made or change meanwhile move none from one page to another. In every version of the contract. A search counts as twenty reads.
         *
         *     With `Accept: text/csv` all that is found comes as one file, the newest first, however long it is: the one that the portal makes for programs, with amounts in units of the currency and times in the merchant’s time zone. A merchant reads two files at a time. To receive changes, read events instead.
         */
        get: operations["searchOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/order/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the status of an order
         * @description Name the order by exactly one of the two parameters.
         */
        get: operations["getOrderStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/order/{txid}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the status of an order by path
         * @deprecated
         * @description By the service’s own name for the order. Use `GET /api/order/status?orderTransactionId=` instead.
         */
        get: operations["getOrderStatusByTxid"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/order/{txid}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund an order
         * @description Sends money of a paid order back the way that it came, all that is left or a part. The money leaves your balance at once; what became of the refund is sent as events of the order. A test refund is approved at once; in live mode an owner or somebody of finance approves it in the portal.
         *
         *     One refund returns the money of one payment: an order that was paid in parts is refunded part by part, the newest payment first. Send an `Idempotency-Key` or a `refundMerchantId`: without one, a repeat is a second refund.
         */
        post: operations["createRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List refunds
         * @description The newest first.
         */
        get: operations["listRefunds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/refund/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a refund
         * @description As it is now.
         */
        get: operations["getRefund"];
        put?: never;
        post?: never;
        /**
         * Cancel a refund
         * @description Possible until the provider is asked, mostly within a second of the approval. The money is yours again. Cancelling a cancelled refund changes nothing and succeeds.
         */
        delete: operations["cancelRefund"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/refund/{id}/payer-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the link for the payer
         * @description For a transfer whose sender the bank did not name: the payer enters the account on this page, within 30 days. In live mode an owner confirms it in the portal, and an operator can approve the refund 24 hours later. The link needs `refunds:write`, because it decides where the money goes.
         */
        get: operations["getRefundPayerLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payouts
         * @description The newest first. Payouts are asked for and approved in the portal; here they are read.
         */
        get: operations["listPayouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payout/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payout
         * @description With what its lines come to. The three sums make its amount, but for a `draft`, which has no lines yet.
         */
        get: operations["getPayout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payout/{id}/line": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the lines of a payout
         * @description Lines of the payout, sorted by number: the orders that it pays, and deductions. They add up to the payout’s amount, and change only until the payout is approved. An order that a payout pays in part has its other part in the next.
         */
        get: operations["listPayoutLines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the balance
         * @description What the merchant’s orders brought and no payout has sent on yet, after fees: one entry for each currency in which money ever came.
         */
        get: operations["getBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/event": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read events
         * @description The feed has every event of your orders and payouts once, in an order that never changes; those of one order or payout follow its `sequence`. Keep `next`, and pass it as `after` to go on from there: nothing is skipped and nothing comes twice. Ask again at once while `hasMore` is true, else some seconds later. With `type` or `from`, a page can be empty although `hasMore` is true. If you lost your position, start with `from`; use `txid` for the events of an order.
         *
         *     Events contain the order or payout as it was right after them; orders in the version of the contract that the request selects. Who paid is known from the end of the payment on.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-endpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhook endpoints
         * @description Those of this merchant in the mode of the key, the oldest first.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description Events of this mode are posted to the URL from now on, signed as [Standard Webhooks](https://www.standardwebhooks.com) 1.0.0 says. The key needs `events:read` too, like every operation that decides which events an endpoint receives. The answer has the `secret` that verifies them; it is not shown again. Payout events are sent only to endpoints that were created or changed with the right to read payouts, such as by a key with `payouts:read`. All owners receive a mail when a key creates a live endpoint or changes its URL: ten times in 24 hours at most.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-endpoint/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook endpoint
         * @description Where its events go, which they are, and whether it answers; not its secret.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description What is on its way to it is cancelled.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description An endpoint that was disabled keeps what was on its way; `"enabled": true` lets it go on at once, also with what waits for its next try. That, another URL and more types of events need the scope `events:read` too.
         */
        patch: operations["changeWebhookEndpoint"];
        trace?: never;
    };
    "/api/webhook-endpoint/{id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Roll the secret of a webhook endpoint
         * @description Makes a new secret. Until the overlap is over, events carry a signature of each, so that no moment is bad for the change.
         */
        post: operations["rollWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-endpoint/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Posts an event of the type `webhook.test`, about no order, once. Read the delivery to see what came of it. While the endpoint is disabled, the event waits.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-endpoint/{id}/delivery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook endpoint
         * @description The newest first, of the last 60 days.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-endpoint/{id}/delivery/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery with its attempts
         * @description The key needs `events:read` too: in test mode the answers are shown, which may repeat an event.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-endpoint/{id}/delivery/{deliveryId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event again
         * @description Whether it was delivered or not. The `webhook-id` stays the same. The key needs `events:read` too.
         */
        post: operations["resendWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-endpoint/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the events of a time again
         * @description Those that the endpoint wants and has not received, also if they happened before it existed. What waits for its next try is tried now, as fast as the endpoint takes it; what is under way is left alone. At most 1000 events a request: while the answer says `hasMore`, repeat it. While 20,000 of them wait, no more are queued (429 `rate_limited`). The key needs `events:read` too.
         */
        post: operations["resendWebhookEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notification-recipient": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the recipients of mails
         * @description Those of this merchant in the mode of the key, the oldest first.
         */
        get: operations["listNotificationRecipients"];
        put?: never;
        /**
         * Add a recipient of mails
         * @description Mails about paid orders begin when the mailbox’s owner has confirmed, on a page to which a first mail leads; they name the payer, so the key needs `events:read` too. The same address again changes nothing, but asks once more when it has not confirmed: after five minutes, and then after pauses that grow to a week, also when it was deleted in between (429 `rate_limited` then). A mailbox that has unsubscribed is asked no more. At most 20 recipients are kept, and 40 mailboxes are asked within an hour.
         */
        post: operations["createNotificationRecipient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notification-recipient/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a recipient of mails
         * @description Whether the mailbox’s owner agreed, and what came of the newest mail to it.
         */
        get: operations["getNotificationRecipient"];
        put?: never;
        post?: never;
        /**
         * Delete a recipient of mails
         * @description The address is erased, and mails that were not sent yet are cancelled.
         */
        delete: operations["deleteNotificationRecipient"];
        options?: never;
        head?: never;
        /**
         * Change a recipient of mails
         * @description What is left out stays as it is; `"minimumAmount": null` asks for all orders again. The address cannot be changed: add another recipient.
         */
        patch: operations["changeNotificationRecipient"];
        trace?: never;
    };
    "/api/notification-recipient/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test mail
         * @description `lastDelivery` of the recipient has the result a moment later.
         */
        post: operations["testNotificationRecipient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/test-helpers/order/{txid}/payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let the sandbox bank answer
         * @description For automatic tests, with a test key: starts a payment of the order at the sandbox bank, or takes the one under way, and lets the bank answer as you say. The answer takes the way of a real one.
         */
        post: operations["simulatePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/test-helpers/order/{txid}/late-payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let money come after all
         * @description For automatic tests, with a test key: the sandbox bank sends money for the newest payment of the order that had been declined or stopped. An order that has ended gets the exception `paid_late`, one that is paid `duplicate_payment`; one that is open is paid.
         */
        post: operations["simulateLatePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/test-helpers/order/{txid}/expire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let the time to pay end
         * @description For automatic tests, with a test key: `expiresAt` becomes now, and what is done then is done. A payment under way is stopped, or its answer fetched; while its outcome is unknown the order stays `processing`, as it does when time passes by itself.
         */
        post: operations["simulateExpiry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/test-helpers/order/{txid}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let the payer cancel
         * @description For automatic tests, with a test key: the payer presses the cancel button of the payment page. Your own cancellation is `DELETE /api/order/{txid}`.
         */
        post: operations["simulateCancellation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/test-helpers/order/{txid}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a person accept late money
         * @description For automatic tests, with a test key: what an operator does in the portal with money that came too late. The order becomes `paid`, `manual`.
         */
        post: operations["simulateAcceptance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/test-helpers/refund/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let the sandbox bank answer about a refund
         * @description For automatic tests, with a test key: the sandbox bank answers as you say, and the refund is in that state when this returns. Without it, a test refund succeeds after about 2 seconds. Not for refunds by bank, which operators approve.
         */
        post: operations["simulateRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    order: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Something happened to an order
         * @description The order as it was right after it, in the endpoint’s version of the contract: this document describes endpoints that have its own. Events come more than once and in any order: keep of each order the event with the highest `sequence`, and no other changes anything.
         */
        post: operations["receiveOrderWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    payout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Something happened to a payout
         * @description The payout as it was right after it; keep of each payout the event with the highest `sequence`.
         */
        post: operations["receivePayoutWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    test: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test event
         * @description A test without an order: answer 2xx and do nothing.
         */
        post: operations["receiveTestWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description Money of an order that goes back to its payer. The same in every version. */
        Refund: {
            /**
             * Format: uuid
             * @description The service’s own name for the refund.
             */
            id: string;
            /**
             * Format: uuid
             * @description The order.
             */
            txid: string;
            /** @description Your own name for the order. */
            orderMerchantId: string;
            /** @description Your own name for the refund, as sent. */
            refundMerchantId: string | null;
            /**
             * @description Test refunds move no money.
             * @enum {string}
             */
            mode: "test" | "live";
            /**
             * Format: int64
             * @description What goes back, in minor units of the currency.
             */
            amount: number;
            /** @description ISO 4217 code; new ones can come. */
            currency: string;
            /**
             * @description `requested` waits for approval; `approved` is sent next; `submitted`: the provider or bank has it, or may have it; `succeeded` can only become `failed`, when the payer’s bank returns it; `failed`, `cancelled` and `rejected` are final, and the money is yours again.
             * @enum {string}
             */
            status: "requested" | "approved" | "submitted" | "succeeded" | "failed" | "cancelled" | "rejected";
            /** @description Why it waits for the payer, failed, or was rejected, for a person. */
            statusReason: string | null;
            /**
             * @description How the money goes back: by the provider that took it, or by `bank` to the account from which the payer transferred it, or that the payer enters.
             * @enum {string}
             */
            method: "provider" | "bank";
            /**
             * @description Where it was requested.
             * @enum {string}
             */
            origin: "api" | "portal";
            /** @description Your reason, as sent. */
            reason: string | null;
            /**
             * Format: date-time
             * @description Until when payers usually have the money: 5 bank days after the request. Null once it has ended.
             */
            expectedAt: string | null;
            /**
             * Format: date-time
             * @description When the refund was requested.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it changed last.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description When it succeeded or ended.
             */
            completedAt: string | null;
        };
        /** @description One fact about an order, with the order as it was right after it. */
        OrderEvent: {
            /**
             * Format: uuid
             * @description Names the event everywhere; webhooks have it in the header `webhook-id` too.
             */
            id: string;
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "order.created" | "order.processing" | "order.paid" | "order.failed" | "order.cancelled" | "order.expired" | "order.exception" | "order.refunded" | "payment.failed" | "payment.updated" | "order.updated" | "order.reopened" | "refund.requested" | "refund.approved" | "refund.submitted" | "refund.succeeded" | "refund.failed" | "refund.cancelled" | "refund.rejected";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The event’s number among those of its order or payout, from 1 and without gaps. Of two events the one with the higher number is the newer: keep its `data`. */
            sequence: number;
            /**
             * Order
             * @description An order.
             */
            data: {
                /**
                 * Format: uuid
                 * @description The service’s own name for the order.
                 */
                txid: string;
                /** @description Your own name for the order. */
                orderMerchantId: string;
                /**
                 * @description Test orders move no money.
                 * @enum {string}
                 */
                mode: "test" | "live";
                /**
                 * @description `open` can be paid; `processing` waits for a provider or a transfer; the other four are final. Only if a transfer was matched to the order by mistake, a `paid` order changes to its status without it, with the event `order.reopened` or that of its final status.
                 * @enum {string}
                 */
                status: "open" | "processing" | "paid" | "failed" | "cancelled" | "expired";
                /** @description Why the order is where it is. `processing`: `awaiting_provider`, `outcome_unknown`, or `awaiting_transfer` while the payer has days to transfer the money; `paid`: `exact`, `overpaid` or `manual`; `cancelled`: `by_merchant` or `by_payer`; `expired`: `not_paid` or `partially_paid`; `failed`: the provider’s last decline code. More values can come. */
                statusReason: ("awaiting_provider" | "outcome_unknown" | "awaiting_transfer" | "exact" | "overpaid" | "manual" | "by_merchant" | "by_payer" | "not_paid" | "partially_paid" | "insufficient_funds" | "limit_exceeded" | "account_blocked" | "authentication_failed" | "cancelled_by_payer" | "timeout" | "declined" | "wrong_currency" | "match_undone" | "cancelled") | string | null;
                /** @description Whether the status is final. */
                finished: boolean;
                /** @description Whether cancelling it now succeeds, as far as is known. While an outcome is unknown it is false: DELETE asks the provider all the same. */
                cancelable: boolean;
                /**
                 * @description Money that did not come as asked for and needs a person’s eye.
                 * @enum {string}
                 */
                exception: "none" | "underpaid" | "overpaid" | "paid_late" | "duplicate_payment" | "wrong_currency" | "charged_back";
                /**
                 * Format: int64
                 * @description What the payer is asked for, in minor units of the currency.
                 */
                amount: number;
                /** @description ISO 4217 code; new ones can come. */
                currency: string;
                /**
                 * Format: int64
                 * @description What arrived so far, less what banks took back, in minor units.
                 */
                amountReceived: number;
                /**
                 * Format: int64
                 * @description What went back to the payer of `amountReceived`, in minor units. Each change sends `order.refunded`.
                 */
                amountRefunded: number;
                /**
                 * Format: int64
                 * @description What payers’ banks took back, in minor units: it is not in `amountReceived` any more. While it is missing from the price, `exception` is `charged_back`.
                 */
                amountChargedBack: number;
                /**
                 * Format: int64
                 * @description What is left to refund, in minor units: `amountReceived` less what was refunded, or is being refunded. 0 unless the order is `paid` and its provider makes refunds.
                 */
                amountRefundable: number;
                /** @description As sent. */
                description: string | null;
                customer: {
                    /** @description Name. */
                    name: string | null;
                    /** @description E-mail address. */
                    email: string | null;
                } | null;
                /** @description As sent, in the order in which they were sent; `{}` without any. */
                optionalFields: {
                    [key: string]: string;
                };
                /**
                 * Format: uri
                 * @description The page on which the payer pays. Anyone with the link can open it.
                 */
                paymentPageUrl: string;
                /** @description As sent. */
                returnUrl: string | null;
                /** @description As sent. */
                cancelUrl: string | null;
                /** @description As sent. */
                locale: string | null;
                /**
                 * Format: date-time
                 * @description When the order was created.
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description When the order changed last.
                 */
                updatedAt: string;
                /**
                 * Format: date-time
                 * @description Until when a payment can be started. One that is under way then may still make the order `paid`: mostly a moment later; while its outcome is unknown, the order stays `processing` for up to 5 days and 8 hours more, where the service is not set otherwise. A payer who chooses a bank transfer moves it to the end of the merchant’s last day for it, and never back: money that the bank books on that day at the latest is in time, and the order stays `processing` until a statement of that day has been read, for 3 bank days at most.
                 */
                expiresAt: string;
                /**
                 * Format: date-time
                 * @description When the order was paid.
                 */
                paidAt: string | null;
                /** @description The attempt that paid the order, else the latest. */
                payment: {
                    /**
                     * Format: uuid
                     * @description The service’s own name for the payment.
                     */
                    id: string;
                    /** @description Who moves the money. More values can come. */
                    provider: ("bank_transfer" | "sandbox") | string;
                    /** @description How the payer pays at the provider. More values can come. */
                    method: ("bank_transfer" | "sandbox") | string;
                    /**
                     * @description Where the payment is.
                     * @enum {string}
                     */
                    status: "pending" | "succeeded" | "failed" | "cancelled";
                    /**
                     * Format: int64
                     * @description What arrived, or what is asked for until then, in minor units.
                     */
                    amount: number;
                    /** @description ISO 4217 code; new ones can come. */
                    currency: string;
                    /** @description The provider’s own name for the payment. */
                    providerReference: string | null;
                    /**
                     * Format: date-time
                     * @description When the payment was started.
                     */
                    createdAt: string;
                    /**
                     * Format: date-time
                     * @description When its outcome became known.
                     */
                    completedAt: string | null;
                    /**
                     * PaymentError
                     * @description Why the payment failed.
                     */
                    error: {
                        /** @description Stable code; [what each means](/errors#payments). More values can come. */
                        code: ("insufficient_funds" | "limit_exceeded" | "account_blocked" | "authentication_failed" | "cancelled_by_payer" | "timeout" | "declined" | "wrong_currency" | "match_undone" | "cancelled") | string;
                        /** @description The same for a person. */
                        message: string;
                    } | null;
                    /** @description The account that paid, as reported by the provider. It can become known a day later. Hidden from keys without the scope `orders:read`. */
                    payerAccountNumber: string | null;
                    /** @description What kind of account it is. */
                    payerAccountType: ("iban" | "domestic" | "masked_card" | "wallet" | "email" | "unknown") | null;
                    /** @description The name on that account. Providers may report only one of both. */
                    payerAccountName: string | null;
                    /**
                     * PaymentTransfer
                     * @description Account details that the payer of a `bank_transfer` received; null for other providers.
                     */
                    transfer: {
                        /** @description Whose account it is. */
                        holder: string;
                        /** @description The IBAN without blanks; of an account that has none, what its bank calls it. */
                        iban: string;
                        /** @description The BIC of its bank. */
                        bic: string | null;
                        /** @description By it the money finds the order: an ISO 11649 reference, without blanks. */
                        reference: string;
                        /**
                         * Format: int64
                         * @description What is asked for, in minor units.
                         */
                        amount: number;
                        /** @description ISO 4217 code; new ones can come. */
                        currency: string;
                        /** @description The text of a QR code by EPC069-12, which banking apps read; null for other currencies than EUR, and accounts without an IBAN. */
                        epc: string | null;
                    } | null;
                } | null;
                /** @description Every attempt to pay the order, oldest first. */
                payments: {
                    /**
                     * Format: uuid
                     * @description The service’s own name for the payment.
                     */
                    id: string;
                    /** @description Who moves the money. More values can come. */
                    provider: ("bank_transfer" | "sandbox") | string;
                    /** @description How the payer pays at the provider. More values can come. */
                    method: ("bank_transfer" | "sandbox") | string;
                    /**
                     * @description Where the payment is.
                     * @enum {string}
                     */
                    status: "pending" | "succeeded" | "failed" | "cancelled";
                    /**
                     * Format: int64
                     * @description What arrived, or what is asked for until then, in minor units.
                     */
                    amount: number;
                    /** @description ISO 4217 code; new ones can come. */
                    currency: string;
                    /** @description The provider’s own name for the payment. */
                    providerReference: string | null;
                    /**
                     * Format: date-time
                     * @description When the payment was started.
                     */
                    createdAt: string;
                    /**
                     * Format: date-time
                     * @description When its outcome became known.
                     */
                    completedAt: string | null;
                    /**
                     * PaymentError
                     * @description Why the payment failed.
                     */
                    error: {
                        /** @description Stable code; [what each means](/errors#payments). More values can come. */
                        code: ("insufficient_funds" | "limit_exceeded" | "account_blocked" | "authentication_failed" | "cancelled_by_payer" | "timeout" | "declined" | "wrong_currency" | "match_undone" | "cancelled") | string;
                        /** @description The same for a person. */
                        message: string;
                    } | null;
                    /** @description The account that paid, as reported by the provider. It can become known a day later. Hidden from keys without the scope `orders:read`. */
                    payerAccountNumber: string | null;
                    /** @description What kind of account it is. */
                    payerAccountType: ("iban" | "domestic" | "masked_card" | "wallet" | "email" | "unknown") | null;
                    /** @description The name on that account. Providers may report only one of both. */
                    payerAccountName: string | null;
                    /**
                     * PaymentTransfer
                     * @description Account details that the payer of a `bank_transfer` received; null for other providers.
                     */
                    transfer: {
                        /** @description Whose account it is. */
                        holder: string;
                        /** @description The IBAN without blanks; of an account that has none, what its bank calls it. */
                        iban: string;
                        /** @description The BIC of its bank. */
                        bic: string | null;
                        /** @description By it the money finds the order: an ISO 11649 reference, without blanks. */
                        reference: string;
                        /**
                         * Format: int64
                         * @description What is asked for, in minor units.
                         */
                        amount: number;
                        /** @description ISO 4217 code; new ones can come. */
                        currency: string;
                        /** @description The text of a QR code by EPC069-12, which banking apps read; null for other currencies than EUR, and accounts without an IBAN. */
                        epc: string | null;
                    } | null;
                }[];
                /**
                 * Format: date-time
                 * @description Until when an order that is `processing` ends at the latest; null when it is not. Keep its goods until then.
                 */
                processingUntil: string | null;
            };
            /** @description The refund right after it; only in refund events. */
            refund?: components["schemas"]["Refund"] | null;
        };
        /** @description Where the money goes, as it was asked for. */
        PayoutBankAccount: {
            /** @description The name that the bank knows. */
            holder: string;
            /** @description Country and last four characters of the IBAN, such as `DE•••• 3000`. */
            iban: string;
            /** @description ISO 3166 code of the account’s country. */
            country: string;
        };
        /** @description Money that is sent on to your bank account. The same in every version. */
        Payout: {
            /**
             * Format: uuid
             * @description The service’s own name for the payout.
             */
            id: string;
            /**
             * @description Test payouts move no money.
             * @enum {string}
             */
            mode: "test" | "live";
            /**
             * @description `draft` is a wish; `pending_approval`, `approved`, `exported` (into a file for the bank) and `submitted` (the bank has it) are on the way; `paid` can only become `returned`; `rejected`, `cancelled`, `failed` and `returned` are final, and the money is available again.
             * @enum {string}
             */
            status: "draft" | "pending_approval" | "approved" | "exported" | "submitted" | "paid" | "rejected" | "cancelled" | "failed" | "returned";
            /** @description Why it was rejected, failed or came back, for a person. */
            statusReason: string | null;
            /**
             * Format: int64
             * @description What is paid out, in minor units of the currency.
             */
            amount: number;
            /** @description ISO 4217 code; new ones can come. */
            currency: string;
            bankAccount: components["schemas"]["PayoutBankAccount"];
            /** @description Whether the schedule asked for it, and no person. */
            scheduled: boolean;
            /**
             * Format: date-time
             * @description When the payout was made.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it changed last.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description When the bank had paid it.
             */
            paidAt: string | null;
        };
        /** @description One fact about a payout, with the payout as it was right after it. */
        PayoutEvent: {
            /**
             * Format: uuid
             * @description Names the event everywhere; webhooks have it in the header `webhook-id` too.
             */
            id: string;
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "payout.requested" | "payout.changed" | "payout.approved" | "payout.exported" | "payout.submitted" | "payout.paid" | "payout.rejected" | "payout.cancelled" | "payout.failed" | "payout.returned";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The event’s number among those of its order or payout, from 1 and without gaps. Of two events the one with the higher number is the newer: keep its `data`. */
            sequence: number;
            data: components["schemas"]["Payout"];
        };
        /** @description One fact about an order or a payout. */
        Event: components["schemas"]["OrderEvent"] | components["schemas"]["PayoutEvent"];
        /** @description A part of the feed. */
        EventPage: {
            data: components["schemas"]["Event"][];
            /**
             * Format: uuid
             * @description What to pass as `after` next time; null while there are no events at all, and may be passed then too.
             */
            next: string | null;
            /** @description Whether there is more to read now. */
            hasMore: boolean;
        };
        /** @description An optional field that orders have, and its whole value. */
        OptionalFieldOfOrders: {
            /** @description The name of the field, such as `shop`. */
            key: string;
            /** @description Its value, such as `berlin`. */
            value: string;
        };
        /** @description Where events shall go. */
        CreateWebhookEndpoint: {
            /**
             * Format: uri
             * @description Where events are posted: https on port 443 or 8443 of a host that has public addresses only.
             */
            url: string;
            /** @description For your own eyes. Empty text removes it. */
            description?: string | null;
            /** @description What the endpoint receives; all events when the list is empty, those of payouts only for who may read them. */
            eventTypes?: ("order.created" | "order.processing" | "order.paid" | "order.failed" | "order.cancelled" | "order.expired" | "order.exception" | "order.refunded" | "payment.failed" | "payment.updated" | "order.updated" | "order.reopened" | "refund.requested" | "refund.approved" | "refund.submitted" | "refund.succeeded" | "refund.failed" | "refund.cancelled" | "refund.rejected" | "payout.requested" | "payout.changed" | "payout.approved" | "payout.exported" | "payout.submitted" | "payout.paid" | "payout.rejected" | "payout.cancelled" | "payout.failed" | "payout.returned")[] | null;
            /** @description Only events of orders that have this among their optional fields, and none of payouts: one endpoint for each shop. All events when null. */
            optionalField?: components["schemas"]["OptionalFieldOfOrders"] | null;
            /** @description Contract in which orders are written; that of this request when left out. */
            apiVersion?: ("1.0" | "1.2" | "1.2.1" | "1.2.2" | "1.3" | "1.4") | null;
        };
        /** @description An optional field that orders have, and its whole value. */
        OptionalField: {
            /** @description The name of the field. */
            key: string;
            /** @description Its value. */
            value: string;
        };
        /** @description Where events go, and how to verify them. */
        WebhookEndpointWithSecret: {
            /**
             * Format: uuid
             * @description The service’s own name for the endpoint.
             */
            id: string;
            /**
             * @description Events of test mode, or of live mode.
             * @enum {string}
             */
            mode: "test" | "live";
            /**
             * Format: uri
             * @description Where events are posted.
             */
            url: string;
            /** @description As sent. */
            description: string | null;
            /** @description What the endpoint receives; everything when empty. */
            eventTypes: ("order.created" | "order.processing" | "order.paid" | "order.failed" | "order.cancelled" | "order.expired" | "order.exception" | "order.refunded" | "payment.failed" | "payment.updated" | "order.updated" | "order.reopened" | "refund.requested" | "refund.approved" | "refund.submitted" | "refund.succeeded" | "refund.failed" | "refund.cancelled" | "refund.rejected" | "payout.requested" | "payout.changed" | "payout.approved" | "payout.exported" | "payout.submitted" | "payout.paid" | "payout.rejected" | "payout.cancelled" | "payout.failed" | "payout.returned")[];
            /** @description The orders that it hears of: those that have this. Null for all orders, and for payouts. */
            optionalField: components["schemas"]["OptionalField"] | null;
            /**
             * @description Contract in which orders are written.
             * @enum {string}
             */
            apiVersion: "1.0" | "1.2" | "1.2.1" | "1.2.2" | "1.3" | "1.4";
            /** @description Whether events are posted. */
            enabled: boolean;
            /** @description Who switched the endpoint off: you; the receiver, by answering 410; or five days of failures. */
            disabledReason: ("by_merchant" | "gone" | "failing") | null;
            /**
             * Format: date-time
             * @description The first failure since the last success.
             */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description Until when the former secret signs too.
             */
            previousSecretUntil: string | null;
            /**
             * Format: date-time
             * @description When the endpoint was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt: string;
            /** @description Verifies the signatures, in the form of Standard Webhooks. Shown only now. */
            secret: string;
        };
        /** @description Where events go. */
        WebhookEndpoint: {
            /**
             * Format: uuid
             * @description The service’s own name for the endpoint.
             */
            id: string;
            /**
             * @description Events of test mode, or of live mode.
             * @enum {string}
             */
            mode: "test" | "live";
            /**
             * Format: uri
             * @description Where events are posted.
             */
            url: string;
            /** @description As sent. */
            description: string | null;
            /** @description What the endpoint receives; everything when empty. */
            eventTypes: ("order.created" | "order.processing" | "order.paid" | "order.failed" | "order.cancelled" | "order.expired" | "order.exception" | "order.refunded" | "payment.failed" | "payment.updated" | "order.updated" | "order.reopened" | "refund.requested" | "refund.approved" | "refund.submitted" | "refund.succeeded" | "refund.failed" | "refund.cancelled" | "refund.rejected" | "payout.requested" | "payout.changed" | "payout.approved" | "payout.exported" | "payout.submitted" | "payout.paid" | "payout.rejected" | "payout.cancelled" | "payout.failed" | "payout.returned")[];
            /** @description The orders that it hears of: those that have this. Null for all orders, and for payouts. */
            optionalField: components["schemas"]["OptionalField"] | null;
            /**
             * @description Contract in which orders are written.
             * @enum {string}
             */
            apiVersion: "1.0" | "1.2" | "1.2.1" | "1.2.2" | "1.3" | "1.4";
            /** @description Whether events are posted. */
            enabled: boolean;
            /** @description Who switched the endpoint off: you; the receiver, by answering 410; or five days of failures. */
            disabledReason: ("by_merchant" | "gone" | "failing") | null;
            /**
             * Format: date-time
             * @description The first failure since the last success.
             */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description Until when the former secret signs too.
             */
            previousSecretUntil: string | null;
            /**
             * Format: date-time
             * @description When the endpoint was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt: string;
        };
        /** @description All endpoints of a mode. */
        WebhookEndpointList: {
            data: components["schemas"]["WebhookEndpoint"][];
        };
        /** @description What is left out stays as it is. */
        ChangeWebhookEndpoint: {
            /**
             * Format: uri
             * @description Where events are posted: https on port 443 or 8443 of a host that has public addresses only.
             */
            url?: string | null;
            /** @description For your own eyes. Empty text removes it. */
            description?: string | null;
            /** @description What the endpoint receives; all events when the list is empty, those of payouts only for who may read them. */
            eventTypes?: ("order.created" | "order.processing" | "order.paid" | "order.failed" | "order.cancelled" | "order.expired" | "order.exception" | "order.refunded" | "payment.failed" | "payment.updated" | "order.updated" | "order.reopened" | "refund.requested" | "refund.approved" | "refund.submitted" | "refund.succeeded" | "refund.failed" | "refund.cancelled" | "refund.rejected" | "payout.requested" | "payout.changed" | "payout.approved" | "payout.exported" | "payout.submitted" | "payout.paid" | "payout.rejected" | "payout.cancelled" | "payout.failed" | "payout.returned")[] | null;
            /** @description Only events of orders that have this among their optional fields, and none of payouts: one endpoint for each shop. All events when null. */
            optionalField?: components["schemas"]["OptionalFieldOfOrders"] | null;
            /** @description Contract in which orders are written. */
            apiVersion?: ("1.0" | "1.2" | "1.2.1" | "1.2.2" | "1.3" | "1.4") | null;
            /** @description False keeps new events away; true also ends the record of failures. */
            enabled?: boolean | null;
        };
        /** @description How the change to a new secret goes. */
        RollSecret: {
            /** @description Hours for which the former secret signs too. `24` when left out. */
            overlapHours?: number | null;
        };
        /** @description One event on its way to one endpoint. */
        WebhookDelivery: {
            /**
             * Format: uuid
             * @description The service’s own name for the delivery.
             */
            id: string;
            /**
             * Format: uuid
             * @description The header `webhook-id`: the event, by which receivers know a repeat.
             */
            webhookId: string;
            /** @description The event’s type, or `webhook.test`. More values can come. */
            type: ("order.created" | "order.processing" | "order.paid" | "order.failed" | "order.cancelled" | "order.expired" | "order.exception" | "order.refunded" | "payment.failed" | "payment.updated" | "order.updated" | "order.reopened" | "refund.requested" | "refund.approved" | "refund.submitted" | "refund.succeeded" | "refund.failed" | "refund.cancelled" | "refund.rejected" | "payout.requested" | "payout.changed" | "payout.approved" | "payout.exported" | "payout.submitted" | "payout.paid" | "payout.rejected" | "payout.cancelled" | "payout.failed" | "payout.returned" | "webhook.test") | string;
            /**
             * Format: uuid
             * @description The order that the event is about; null for a payout or a test event.
             */
            txid: string | null;
            /** @description Whether the event was sent again on request. */
            resent: boolean;
            /**
             * @description `pending` is tried again; `failed` was given up; `cancelled` lost its endpoint.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "cancelled";
            /** @description Attempts that ended. */
            attemptCount: number;
            /**
             * Format: date-time
             * @description When the delivery was queued.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the next attempt is due.
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When the delivery ended.
             */
            completedAt: string | null;
        };
        /** @description A part of the log. */
        WebhookDeliveryPage: {
            data: components["schemas"]["WebhookDelivery"][];
            /**
             * Format: uuid
             * @description What to pass as `after` for the next page; null when this one is empty.
             */
            next: string | null;
            /** @description Whether there are older deliveries. */
            hasMore: boolean;
        };
        /** @description One attempt to deliver. */
        WebhookAttempt: {
            /** @description Counts the attempts of the delivery. */
            number: number;
            /**
             * Format: date-time
             * @description When the attempt began.
             */
            startedAt: string;
            /** @description How long it took, in milliseconds. */
            durationMs: number;
            /** @description Whether the receiver answered 2xx. */
            succeeded: boolean;
            /** @description The HTTP status of the answer; null when none came. */
            statusCode: number | null;
            /** @description Why the attempt failed. */
            error: string | null;
            /** @description What was sent before the body, at most 4 kB. */
            requestHead: string | null;
            /** @description What was answered, in test mode with the first 1 kB of the body; at most 4 kB. */
            responseHead: string | null;
        };
        /** @description A delivery and how it went. */
        WebhookDeliveryWithAttempts: {
            /**
             * Format: uuid
             * @description The service’s own name for the delivery.
             */
            id: string;
            /**
             * Format: uuid
             * @description The header `webhook-id`: the event, by which receivers know a repeat.
             */
            webhookId: string;
            /** @description The event’s type, or `webhook.test`. More values can come. */
            type: ("order.created" | "order.processing" | "order.paid" | "order.failed" | "order.cancelled" | "order.expired" | "order.exception" | "order.refunded" | "payment.failed" | "payment.updated" | "order.updated" | "order.reopened" | "refund.requested" | "refund.approved" | "refund.submitted" | "refund.succeeded" | "refund.failed" | "refund.cancelled" | "refund.rejected" | "payout.requested" | "payout.changed" | "payout.approved" | "payout.exported" | "payout.submitted" | "payout.paid" | "payout.rejected" | "payout.cancelled" | "payout.failed" | "payout.returned" | "webhook.test") | string;
            /**
             * Format: uuid
             * @description The order that the event is about; null for a payout or a test event.
             */
            txid: string | null;
            /** @description Whether the event was sent again on request. */
            resent: boolean;
            /**
             * @description `pending` is tried again; `failed` was given up; `cancelled` lost its endpoint.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "cancelled";
            /** @description Attempts that ended. */
            attemptCount: number;
            /**
             * Format: date-time
             * @description When the delivery was queued.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the next attempt is due.
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When the delivery ended.
             */
            completedAt: string | null;
            /** @description The oldest first. */
            attempts: components["schemas"]["WebhookAttempt"][];
        };
        /** @description Which events to send again. */
        ResendEvents: {
            /**
             * Format: date-time
             * @description Events from this moment on; those older than 60 days are left out.
             */
            from: string;
            /**
             * Format: date-time
             * @description Events before this moment; up to now when left out.
             */
            to?: string | null;
            /** @description Also events that the endpoint has received. `false` when left out. */
            includeDelivered?: boolean | null;
        };
        /** @description What is sent again. */
        WebhookResend: {
            /** @description Events that are sent: again, or before the time of their next try. */
            queued: number;
            /** @description Whether the range has more: repeat the request. */
            hasMore: boolean;
        };
        /** @description Who shall get mails. */
        CreateNotificationRecipient: {
            /**
             * Format: email
             * @description Address of one mailbox, whose owner is asked first. Kept in lower case.
             */
            email: string;
            /** @description Language of the mails, as a BCP 47 tag such as `de` or `pt-BR`. `en` when left out. */
            locale?: string | null;
            /** @description Time zone in which mails give times, by its IANA name such as `Europe/Berlin`. `UTC` when left out. */
            timeZone?: string | null;
            /** @description Only orders of at least this amount, in minor units of whatever currency they have; all orders when null. */
            minimumAmount?: number | null;
        };
        /** @description A mail and what came of its last attempt. */
        LastDelivery: {
            /**
             * Format: uuid
             * @description The service’s own name for the mail, which is in its Message-ID.
             */
            id: string;
            /** @description `order.paid`, or the kind of message. More values can come. */
            type: ("order.paid" | "recipient.confirm" | "mail.test" | "endpoint.failing" | "endpoint.disabled") | string;
            /**
             * @description Where the mail is.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "cancelled";
            /** @description Attempts that ended. */
            attemptCount: number;
            /** @description What the mail server answered to the last attempt, such as 550. */
            statusCode: number | null;
            /** @description Why the last attempt failed, in words. */
            error: string | null;
            /**
             * Format: date-time
             * @description When the mail was queued.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was sent, given up or cancelled.
             */
            completedAt: string | null;
        };
        /** @description A mailbox that receives a mail for each paid order. */
        NotificationRecipient: {
            /**
             * Format: uuid
             * @description The service’s own name for the recipient.
             */
            id: string;
            /**
             * @description The mode of its orders.
             * @enum {string}
             */
            mode: "test" | "live";
            /**
             * Format: email
             * @description The mailbox.
             */
            email: string;
            /**
             * @description What the mailbox’s owner decided. Only `confirmed` gets mails about orders.
             * @enum {string}
             */
            status: "unconfirmed" | "confirmed" | "unsubscribed";
            /**
             * @description Language of the mails.
             * @enum {string}
             */
            locale: "en" | "de" | "fr" | "es" | "it" | "nl" | "pl" | "pt" | "tr" | "ar" | "he" | "zh";
            /** @description IANA name of the time zone in which mails give times. */
            timeZone: string;
            /**
             * Format: int64
             * @description Only orders of at least this amount; null = all.
             */
            minimumAmount: number | null;
            /**
             * Format: date-time
             * @description When it was added.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description When its owner said yes.
             */
            confirmedAt: string | null;
            /**
             * Format: date-time
             * @description When its owner said no.
             */
            unsubscribedAt: string | null;
            /** @description The newest mail to it, and what came of it. */
            lastDelivery: components["schemas"]["LastDelivery"] | null;
        };
        /** @description All recipients of a mode. */
        NotificationRecipientList: {
            data: components["schemas"]["NotificationRecipient"][];
        };
        /** @description What is left out stays as it is. */
        ChangeNotificationRecipient: {
            /** @description Language of the mails, as a BCP 47 tag such as `de` or `pt-BR`. */
            locale?: string | null;
            /** @description Time zone in which mails give times, by its IANA name such as `Europe/Berlin`. */
            timeZone?: string | null;
            /** @description Only orders of at least this amount, in minor units of whatever currency they have; all orders when null. */
            minimumAmount?: number | null;
        };
        /** @description The payer, as far as the shop knows. */
        Customer: {
            name?: string | null;
            email?: string | null;
        };
        /** @description What a payer is to pay, and for what. */
        CreateOrder: {
            /** @description Your own name for the order. It can be used again once the older order has expired, failed or was cancelled. */
            orderMerchantId: string;
            /** @description Whole minor units of the currency: 8990 is 89.90 EUR, 8990 JPY, or 8.990 KWD. */
            amount: number;
            /** @description ISO 4217 code. */
            currency: ("AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHF" | "CLP" | "CNY" | "COP" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "UYU" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG") | string;
            /** @description Shown to the payer, in one line. */
            description?: string | null;
            customer?: components["schemas"]["Customer"] | null;
            /** @description Where the payment page takes the payer 8 seconds after the order has ended, and where its link back leads. The page adds the parameters `orderMerchantId`, `txid` and `status` unless the address has them. Anybody can write such an address: read the order before you act on it. https only in live mode. */
            returnUrl?: string | null;
            /** @description The same for an order that failed, expired or was cancelled; `returnUrl` when left out. */
            cancelUrl?: string | null;
            /** @description Language of the payment page, as a BCP 47 tag such as `de` or `pt-BR`. `de_DE` is read as `de-DE`, and what names no language counts as not sent. */
            locale?: string | null;
            /** @description Minutes until an unpaid order expires. `60` when left out. */
            expiresInMinutes?: number | null;
            /** @description Up to 20 pairs of your own, kept as sent, returned with the order and shown in the merchant’s e-mail. */
            optionalFields?: {
                [key: string]: string;
            } | null;
        };
        /** @description The payer, as far as the shop knows: as sent. Null for keys without the scope `orders:read`. */
        OrderCustomer: {
            /** @description Name. */
            name: string | null;
            /** @description E-mail address. */
            email: string | null;
        };
        /** @description One attempt to pay an order. */
        Payment: {
            /**
             * Format: uuid
             * @description The service’s own name for the payment.
             */
            id: string;
            /** @description Who moves the money. More values can come. */
            provider: ("bank_transfer" | "sandbox") | string;
            /** @description How the payer pays at the provider. More values can come. */
            method: ("bank_transfer" | "sandbox") | string;
            /**
             * @description Where the payment is.
             * @enum {string}
             */
            status: "pending" | "succeeded" | "failed" | "cancelled";
            /**
             * Format: int64
             * @description What arrived, or what is asked for until then, in minor units.
             */
            amount: number;
            /** @description ISO 4217 code; new ones can come. */
            currency: string;
            /** @description The provider’s own name for the payment. */
            providerReference: string | null;
            /**
             * Format: date-time
             * @description When the payment was started.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When its outcome became known.
             */
            completedAt: string | null;
            /**
             * PaymentError
             * @description Why the payment failed.
             */
            error: {
                /** @description Stable code; [what each means](/errors#payments). More values can come. */
                code: ("insufficient_funds" | "limit_exceeded" | "account_blocked" | "authentication_failed" | "cancelled_by_payer" | "timeout" | "declined" | "wrong_currency" | "match_undone" | "cancelled") | string;
                /** @description The same for a person. */
                message: string;
            } | null;
            /** @description The account that paid, as reported by the provider. It can become known a day later. Hidden from keys without the scope `orders:read`. */
            payerAccountNumber: string | null;
            /** @description What kind of account it is. */
            payerAccountType: ("iban" | "domestic" | "masked_card" | "wallet" | "email" | "unknown") | null;
            /** @description The name on that account. Providers may report only one of both. */
            payerAccountName: string | null;
            /**
             * PaymentTransfer
             * @description Account details that the payer of a `bank_transfer` received; null for other providers.
             */
            transfer: {
                /** @description Whose account it is. */
                holder: string;
                /** @description The IBAN without blanks; of an account that has none, what its bank calls it. */
                iban: string;
                /** @description The BIC of its bank. */
                bic: string | null;
                /** @description By it the money finds the order: an ISO 11649 reference, without blanks. */
                reference: string;
                /**
                 * Format: int64
                 * @description What is asked for, in minor units.
                 */
                amount: number;
                /** @description ISO 4217 code; new ones can come. */
                currency: string;
                /** @description The text of a QR code by EPC069-12, which banking apps read; null for other currencies than EUR, and accounts without an IBAN. */
                epc: string | null;
            } | null;
        };
        /** @description How one field was kept that had been written otherwise. */
        Warning: {
            /** @description JSON Pointer (RFC 6901) into the request’s body. */
            pointer: string;
            /** @description What was changed. More values can come. */
            code: ("white_space" | "capitals" | "locale" | "left_out") | string;
            /** @description The same for a person. */
            detail: string;
        };
        /** @description A new order, or the one that the same request had made before. */
        CreatedOrder: {
            /**
             * Format: uuid
             * @description The service’s own name for the order.
             */
            txid: string;
            /** @description Your own name for the order. */
            orderMerchantId: string;
            /**
             * @description Test orders move no money.
             * @enum {string}
             */
            mode: "test" | "live";
            /**
             * @description `open` can be paid; `processing` waits for a provider or a transfer; the other four are final. Only if a transfer was matched to the order by mistake, a `paid` order changes to its status without it, with the event `order.reopened` or that of its final status.
             * @enum {string}
             */
            status: "open" | "processing" | "paid" | "failed" | "cancelled" | "expired";
            /** @description Why the order is where it is. `processing`: `awaiting_provider`, `outcome_unknown`, or `awaiting_transfer` while the payer has days to transfer the money; `paid`: `exact`, `overpaid` or `manual`; `cancelled`: `by_merchant` or `by_payer`; `expired`: `not_paid` or `partially_paid`; `failed`: the provider’s last decline code. More values can come. */
            statusReason: ("awaiting_provider" | "outcome_unknown" | "awaiting_transfer" | "exact" | "overpaid" | "manual" | "by_merchant" | "by_payer" | "not_paid" | "partially_paid" | "insufficient_funds" | "limit_exceeded" | "account_blocked" | "authentication_failed" | "cancelled_by_payer" | "timeout" | "declined" | "wrong_currency" | "match_undone" | "cancelled") | string | null;
            /** @description Whether the status is final. */
            finished: boolean;
            /** @description Whether cancelling it now succeeds, as far as is known. While an outcome is unknown it is false: DELETE asks the provider all the same. */
            cancelable: boolean;
            /**
             * @description Money that did not come as asked for and needs a person’s eye.
             * @enum {string}
             */
            exception: "none" | "underpaid" | "overpaid" | "paid_late" | "duplicate_payment" | "wrong_currency" | "charged_back";
            /**
             * Format: int64
             * @description What the payer is asked for, in minor units of the currency.
             */
            amount: number;
            /** @description ISO 4217 code; new ones can come. */
            currency: string;
            /**
             * Format: int64
             * @description What arrived so far, less what banks took back, in minor units.
             */
            amountReceived: number;
            /**
             * Format: int64
             * @description What went back to the payer of `amountReceived`, in minor units. Each change sends `order.refunded`.
             */
            amountRefunded: number;
            /**
             * Format: int64
             * @description What payers’ banks took back, in minor units: it is not in `amountReceived` any more. While it is missing from the price, `exception` is `charged_back`.
             */
            amountChargedBack: number;
            /**
             * Format: int64
             * @description What is left to refund, in minor units: `amountReceived` less what was refunded, or is being refunded. 0 unless the order is `paid` and its provider makes refunds.
             */
            amountRefundable: number;
            /** @description As sent. */
            description: string | null;
            customer: components["schemas"]["OrderCustomer"] | null;
            /** @description As sent, in the order in which they were sent; `{}` without any. */
            optionalFields: {
                [key: string]: string;
            };
            /**
             * Format: uri
             * @description The page on which the payer pays. Anyone with the link can open it.
             */
            paymentPageUrl: string;
            /** @description As sent. */
            returnUrl: string | null;
            /** @description As sent. */
            cancelUrl: string | null;
            /** @description As sent. */
            locale: string | null;
            /**
             * Format: date-time
             * @description When the order was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the order changed last.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description Until when a payment can be started. One that is under way then may still make the order `paid`: mostly a moment later; while its outcome is unknown, the order stays `processing` for up to 5 days and 8 hours more, where the service is not set otherwise. A payer who chooses a bank transfer moves it to the end of the merchant’s last day for it, and never back: money that the bank books on that day at the latest is in time, and the order stays `processing` until a statement of that day has been read, for 3 bank days at most.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When the order was paid.
             */
            paidAt: string | null;
            /** @description The attempt that paid the order, else the latest. */
            payment: components["schemas"]["Payment"] | null;
            /** @description Every attempt to pay the order, oldest first. */
            payments: components["schemas"]["Payment"][];
            /**
             * Format: date-time
             * @description Until when an order that is `processing` ends at the latest; null when it is not. Keep its goods until then.
             */
            processingUntil: string | null;
            /** @description What was sloppy about the request, and kept otherwise. Not there in other answers. */
            warnings: components["schemas"]["Warning"][];
        };
        /** @description An order. */
        Order: {
            /**
             * Format: uuid
             * @description The service’s own name for the order.
             */
            txid: string;
            /** @description Your own name for the order. */
            orderMerchantId: string;
            /**
             * @description Test orders move no money.
             * @enum {string}
             */
            mode: "test" | "live";
            /**
             * @description `open` can be paid; `processing` waits for a provider or a transfer; the other four are final. Only if a transfer was matched to the order by mistake, a `paid` order changes to its status without it, with the event `order.reopened` or that of its final status.
             * @enum {string}
             */
            status: "open" | "processing" | "paid" | "failed" | "cancelled" | "expired";
            /** @description Why the order is where it is. `processing`: `awaiting_provider`, `outcome_unknown`, or `awaiting_transfer` while the payer has days to transfer the money; `paid`: `exact`, `overpaid` or `manual`; `cancelled`: `by_merchant` or `by_payer`; `expired`: `not_paid` or `partially_paid`; `failed`: the provider’s last decline code. More values can come. */
            statusReason: ("awaiting_provider" | "outcome_unknown" | "awaiting_transfer" | "exact" | "overpaid" | "manual" | "by_merchant" | "by_payer" | "not_paid" | "partially_paid" | "insufficient_funds" | "limit_exceeded" | "account_blocked" | "authentication_failed" | "cancelled_by_payer" | "timeout" | "declined" | "wrong_currency" | "match_undone" | "cancelled") | string | null;
            /** @description Whether the status is final. */
            finished: boolean;
            /** @description Whether cancelling it now succeeds, as far as is known. While an outcome is unknown it is false: DELETE asks the provider all the same. */
            cancelable: boolean;
            /**
             * @description Money that did not come as asked for and needs a person’s eye.
             * @enum {string}
             */
            exception: "none" | "underpaid" | "overpaid" | "paid_late" | "duplicate_payment" | "wrong_currency" | "charged_back";
            /**
             * Format: int64
             * @description What the payer is asked for, in minor units of the currency.
             */
            amount: number;
            /** @description ISO 4217 code; new ones can come. */
            currency: string;
            /**
             * Format: int64
             * @description What arrived so far, less what banks took back, in minor units.
             */
            amountReceived: number;
            /**
             * Format: int64
             * @description What went back to the payer of `amountReceived`, in minor units. Each change sends `order.refunded`.
             */
            amountRefunded: number;
            /**
             * Format: int64
             * @description What payers’ banks took back, in minor units: it is not in `amountReceived` any more. While it is missing from the price, `exception` is `charged_back`.
             */
            amountChargedBack: number;
            /**
             * Format: int64
             * @description What is left to refund, in minor units: `amountReceived` less what was refunded, or is being refunded. 0 unless the order is `paid` and its provider makes refunds.
             */
            amountRefundable: number;
            /** @description As sent. */
            description: string | null;
            customer: components["schemas"]["OrderCustomer"] | null;
            /** @description As sent, in the order in which they were sent; `{}` without any. */
            optionalFields: {
                [key: string]: string;
            };
            /**
             * Format: uri
             * @description The page on which the payer pays. Anyone with the link can open it.
             */
            paymentPageUrl: string;
            /** @description As sent. */
            returnUrl: string | null;
            /** @description As sent. */
            cancelUrl: string | null;
            /** @description As sent. */
            locale: string | null;
            /**
             * Format: date-time
             * @description When the order was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the order changed last.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description Until when a payment can be started. One that is under way then may still make the order `paid`: mostly a moment later; while its outcome is unknown, the order stays `processing` for up to 5 days and 8 hours more, where the service is not set otherwise. A payer who chooses a bank transfer moves it to the end of the merchant’s last day for it, and never back: money that the bank books on that day at the latest is in time, and the order stays `processing` until a statement of that day has been read, for 3 bank days at most.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When the order was paid.
             */
            paidAt: string | null;
            /** @description The attempt that paid the order, else the latest. */
            payment: components["schemas"]["Payment"] | null;
            /** @description Every attempt to pay the order, oldest first. */
            payments: components["schemas"]["Payment"][];
            /**
             * Format: date-time
             * @description Until when an order that is `processing` ends at the latest; null when it is not. Keep its goods until then.
             */
            processingUntil: string | null;
        };
        /** @description What is left out stays as it is. What is there takes the place of what was, also all of `customer` and `optionalFields`; null takes it away. */
        UpdateOrder: {
            /** @description Whole minor units of the order’s currency. Not after money has come. */
            amount?: number | null;
            /** @description Shown to the payer. */
            description?: string | null;
            customer?: components["schemas"]["Customer"] | null;
            /** @description As in a new order. */
            returnUrl?: string | null;
            /** @description As in a new order. */
            cancelUrl?: string | null;
            /** @description Language of the payment page. */
            locale?: string | null;
            /** @description Minutes from now until the order expires unpaid. */
            expiresInMinutes?: number | null;
            /** @description As in a new order. */
            optionalFields?: {
                [key: string]: string;
            } | null;
        };
        /** @description Where an order is. The same in every version. */
        OrderStatus: {
            /**
             * Format: uuid
             * @description The service’s own name for the order.
             */
            txid: string;
            /** @description Your own name for the order. */
            orderMerchantId: string;
            /**
             * @description `open` can be paid; `processing` waits for a provider or a transfer; the other four are final. Only if a transfer was matched to the order by mistake, a `paid` order changes to its status without it, with the event `order.reopened` or that of its final status.
             * @enum {string}
             */
            status: "open" | "processing" | "paid" | "failed" | "cancelled" | "expired";
            /** @description Why the order is where it is. `processing`: `awaiting_provider`, `outcome_unknown`, or `awaiting_transfer` while the payer has days to transfer the money; `paid`: `exact`, `overpaid` or `manual`; `cancelled`: `by_merchant` or `by_payer`; `expired`: `not_paid` or `partially_paid`; `failed`: the provider’s last decline code. More values can come. */
            statusReason: ("awaiting_provider" | "outcome_unknown" | "awaiting_transfer" | "exact" | "overpaid" | "manual" | "by_merchant" | "by_payer" | "not_paid" | "partially_paid" | "insufficient_funds" | "limit_exceeded" | "account_blocked" | "authentication_failed" | "cancelled_by_payer" | "timeout" | "declined" | "wrong_currency" | "match_undone" | "cancelled") | string | null;
            /** @description Whether the status is final. */
            finished: boolean;
            /**
             * @description Money that did not come as asked for and needs a person’s eye.
             * @enum {string}
             */
            exception: "none" | "underpaid" | "overpaid" | "paid_late" | "duplicate_payment" | "wrong_currency" | "charged_back";
            /**
             * Format: int64
             * @description What the payer is asked for, in minor units of the currency.
             */
            amount: number;
            /** @description ISO 4217 code; new ones can come. */
            currency: string;
            /**
             * Format: int64
             * @description What arrived so far, less what banks took back, in minor units.
             */
            amountReceived: number;
            /**
             * Format: date-time
             * @description When the order changed last.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description When the order was paid.
             */
            paidAt: string | null;
        };
        /** @description A part of the orders that were found. */
        OrderPage: {
            data: components["schemas"]["Order"][];
            /** @description What to pass as `after` for the next page; null when this one is empty. */
            next: string | null;
            /** @description Whether there are more orders. */
            hasMore: boolean;
        };
        /** @description What of a paid order goes back to its payer. */
        CreateRefund: {
            /** @description Whole minor units of the order’s currency. Everything that is left when left out. */
            amount?: number | null;
            /** @description Why, for your own records. The payer does not see it. */
            reason?: string | null;
            /** @description Your own name for the refund, unique among all of yours. The same request again gets the existing refund. */
            refundMerchantId?: string | null;
            /** @description The `amountRefundable` of the order that you saw. If another amount is left now, nothing is refunded. */
            amountRefundable?: number | null;
        };
        /** @description A part of the list. */
        RefundPage: {
            data: components["schemas"]["Refund"][];
            /**
             * Format: uuid
             * @description What to pass as `after` for the next page; null when this one is empty.
             */
            next: string | null;
            /** @description Whether there are older refunds. */
            hasMore: boolean;
        };
        /** @description Where the payer of a refund enters an account. */
        RefundPayerLink: {
            /** @description The page. Send it to your customer only: the first account that is entered there gets the money. */
            url: string;
            /**
             * Format: date-time
             * @description The refund is cancelled then, unless an account was entered.
             */
            expiresAt: string;
        };
        /** @description A part of the list. */
        PayoutPage: {
            data: components["schemas"]["Payout"][];
            /**
             * Format: uuid
             * @description What to pass as `after` for the next page; null when this one is empty.
             */
            next: string | null;
            /** @description Whether there are older payouts. */
            hasMore: boolean;
        };
        /** @description What the lines of a kind come to. */
        PayoutLineSum: {
            /** @description How many lines. */
            count: number;
            /**
             * Format: int64
             * @description What they come to, in minor units.
             */
            amount: number;
        };
        /** @description What the lines come to, by kind. The three sums make the amount. */
        PayoutLineSums: {
            /** @description What orders brought. */
            orders: components["schemas"]["PayoutLineSum"];
            /** @description What was taken off for them; below 0. */
            fees: components["schemas"]["PayoutLineSum"];
            /** @description What was taken back of orders and fees. */
            corrections: components["schemas"]["PayoutLineSum"];
        };
        /** @description A payout with what its lines come to. */
        PayoutWithSums: {
            /**
             * Format: uuid
             * @description The service’s own name for the payout.
             */
            id: string;
            /**
             * @description Test payouts move no money.
             * @enum {string}
             */
            mode: "test" | "live";
            /**
             * @description `draft` is a wish; `pending_approval`, `approved`, `exported` (into a file for the bank) and `submitted` (the bank has it) are on the way; `paid` can only become `returned`; `rejected`, `cancelled`, `failed` and `returned` are final, and the money is available again.
             * @enum {string}
             */
            status: "draft" | "pending_approval" | "approved" | "exported" | "submitted" | "paid" | "rejected" | "cancelled" | "failed" | "returned";
            /** @description Why it was rejected, failed or came back, for a person. */
            statusReason: string | null;
            /**
             * Format: int64
             * @description What is paid out, in minor units of the currency.
             */
            amount: number;
            /** @description ISO 4217 code; new ones can come. */
            currency: string;
            bankAccount: components["schemas"]["PayoutBankAccount"];
            /** @description Whether the schedule asked for it, and no person. */
            scheduled: boolean;
            /**
             * Format: date-time
             * @description When the payout was made.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it changed last.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description When the bank had paid it.
             */
            paidAt: string | null;
            lines: components["schemas"]["PayoutLineSums"];
        };
        /** @description One order, fee or correction in a payout. */
        PayoutLine: {
            /** @description The line’s number in its payout. */
            number: number;
            /**
             * @description `order` pays an order or a part of it; `fee` takes a fee off; `correction` takes back one of both.
             * @enum {string}
             */
            kind: "order" | "fee" | "correction";
            /**
             * Format: int64
             * @description Minor units of the payout’s currency; below 0 for what is taken off.
             */
            amount: number;
            /**
             * Format: uuid
             * @description The order.
             */
            txid: string;
            /** @description Your own name for the order. */
            orderMerchantId: string;
            /**
             * Format: int64
             * @description What the order asked for, in minor units.
             */
            orderAmount: number;
            /**
             * Format: date-time
             * @description When the order was paid.
             */
            orderPaidAt: string | null;
        };
        /** @description A part of the lines. */
        PayoutLinePage: {
            data: components["schemas"]["PayoutLine"][];
            /** @description What to pass as `after` for the next page; null when this one is empty. */
            next: number | null;
            /** @description Whether there are more lines. */
            hasMore: boolean;
        };
        /** @description What you have in one currency, in minor units. */
        Balance: {
            /**
             * @description Test payouts move no money.
             * @enum {string}
             */
            mode: "test" | "live";
            /** @description ISO 4217 code; new ones can come. */
            currency: string;
            /**
             * Format: int64
             * @description What can be paid out; below 0 when more was taken back than there was.
             */
            available: number;
            /**
             * Format: int64
             * @description What is reserved for payouts that are on the way.
             */
            payoutPending: number;
            /**
             * Format: int64
             * @description Money that does not make an order paid: too much, too late, twice, or a part. It is not paid out.
             */
            unallocated: number;
        };
        /** @description What you have in each currency. */
        BalanceList: {
            data: components["schemas"]["Balance"][];
        };
        /** @description What the sandbox bank is to answer. */
        SimulatedPayment: {
            payerAccountNumber?: string | null;
            /** @description What kind of account the bank says it is; as the number looks when left out. Alone it stands for an account of that kind. */
            payerAccountType?: ("iban" | "domestic" | "masked_card" | "wallet" | "email" | "unknown") | null;
            payerAccountName?: string | null;
            /** @description Seconds between the money and the payer details, which then arrive with the event `payment.updated`; default: together. */
            payerAfterSeconds?: number | null;
            /** @description Minor units that the payer sends; what is due when left out. */
            amount?: number | null;
            /** @description Currency that the payer sends; the order’s when left out. */
            currency?: ("AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHF" | "CLP" | "CNY" | "COP" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "UYU" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG") | string | null;
            /** @description Seconds until the bank answers. */
            afterSeconds?: number | null;
            /** @description How often the bank sends the same callback. */
            repeat?: number | null;
            /** @enum {string} */
            outcome: "paid" | "declined" | "pending" | "unknown";
            /** @description Why the bank declines; `declined`, which names no reason, when left out. [What each means](/errors#payments). */
            declineCode?: ("insufficient_funds" | "limit_exceeded" | "account_blocked" | "authentication_failed" | "cancelled_by_payer" | "timeout" | "declined") | null;
        };
        /** @description Money that the sandbox bank sends after all. */
        SimulatedLatePayment: {
            payerAccountNumber?: string | null;
            /** @description What kind of account the bank says it is; as the number looks when left out. Alone it stands for an account of that kind. */
            payerAccountType?: ("iban" | "domestic" | "masked_card" | "wallet" | "email" | "unknown") | null;
            payerAccountName?: string | null;
            /** @description Seconds between the money and the payer details, which then arrive with the event `payment.updated`; default: together. */
            payerAfterSeconds?: number | null;
            /** @description Minor units that the payer sends; what is due when left out. */
            amount?: number | null;
            /** @description Currency that the payer sends; the order’s when left out. */
            currency?: ("AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHF" | "CLP" | "CNY" | "COP" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "UYU" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG") | string | null;
            /** @description Seconds until the bank answers. */
            afterSeconds?: number | null;
            /** @description How often the bank sends the same callback. */
            repeat?: number | null;
        };
        /** @description What the sandbox bank answers about a refund. */
        SimulatedRefund: {
            /**
             * @description `succeeded`; `failed`; `returned`: it succeeds, and the payer’s bank returns it; `silent`: the bank does not answer until you send another outcome.
             * @enum {string}
             */
            outcome: "succeeded" | "failed" | "returned" | "silent";
        };
        /** @description What a test event is about. */
        TestedEndpoint: {
            /**
             * Format: uuid
             * @description The endpoint that is tested.
             */
            endpointId: string;
            /**
             * @description The endpoint’s mode.
             * @enum {string}
             */
            mode: "test" | "live";
        };
        /** @description A test of the endpoint, without an order. */
        TestEvent: {
            /**
             * Format: uuid
             * @description Names the test; also in the header `webhook-id`.
             */
            id: string;
            /**
             * @description What happened.
             * @enum {string}
             */
            type: "webhook.test";
            /**
             * Format: date-time
             * @description When the test was asked for.
             */
            timestamp: string;
            data: components["schemas"]["TestedEndpoint"];
        };
        /** @description One bad field of a request. */
        FieldError: {
            /** @description JSON Pointer (RFC 6901) into the request’s body. */
            pointer: string;
            /**
             * @description What is wrong with the field.
             * @enum {string}
             */
            code: "required" | "unknown_member" | "wrong_type" | "wrong_format" | "too_short" | "too_long" | "out_of_range" | "control_character" | "not_well_formed" | "unknown_currency" | "card_data_refused" | "https_required" | "address_refused" | "field_not_in_this_version";
            /** @description The same for a person. */
            detail: string;
        };
        /** @description What went wrong, as RFC 9457 problem details. */
        Problem: {
            /**
             * Format: uri
             * @description Page about the error.
             */
            type: string;
            /** @description What happened; the same text every time. */
            title: string;
            /** @description The HTTP status. */
            status: number;
            /** @description What happened this time, for a person. */
            detail: string;
            /** @description Path of the request; empty when it could not be read. */
            instance: string;
            /**
             * @description Stable name of the error: let programs decide by it.
             * @enum {string}
             */
            code: "malformed_request" | "malformed_json" | "selector_required" | "selector_ambiguous" | "unknown_parameter" | "invalid_parameter" | "unknown_event" | "unknown_api_version" | "invalid_idempotency_key" | "unauthorized" | "invalid_signature" | "missing_scope" | "ip_not_allowed" | "test_mode_only" | "order_not_found" | "webhook_endpoint_not_found" | "delivery_not_found" | "recipient_not_found" | "route_not_found" | "error_not_found" | "not_in_this_version" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "order_already_exists" | "order_not_cancelable" | "order_finished" | "no_ended_payment" | "order_not_changeable" | "order_changed" | "order_not_acceptable" | "order_not_refundable" | "order_not_payable" | "payment_in_progress" | "too_many_webhook_endpoints" | "too_many_api_keys" | "too_many_recipients" | "recipient_unsubscribed" | "second_person_required" | "approver_of_merchant" | "second_factor_too_old" | "payout_not_found" | "payout_file_not_found" | "bank_account_not_found" | "payout_not_possible" | "payout_changed" | "payout_too_large" | "insufficient_balance" | "bank_account_not_usable" | "bank_account_in_use" | "payout_file_withheld" | "payout_file_changed" | "nothing_to_export" | "payout_account_missing" | "refund_not_found" | "refund_link_not_found" | "refund_already_exists" | "refundable_changed" | "refund_not_cancelable" | "refund_second_person" | "refund_too_large" | "body_too_large" | "uri_too_long" | "unsupported_media_type" | "validation_failed" | "idempotency_key_reused" | "no_payment_method" | "rate_limited" | "headers_too_large" | "internal_error" | "unavailable";
            /**
             * Format: uuid
             * @description Equals the header X-Request-Id; name it when you ask for help.
             */
            requestId: string;
            /** @description Whether the same request can succeed later. */
            retryable: boolean;
            /** @description Every bad field, with `validation_failed`. */
            errors?: components["schemas"]["FieldError"][];
            /** @description Released versions, with `unknown_api_version`. */
            supported?: string[];
            /** @description The first version that has the operation, with `not_in_this_version`. */
            since?: string;
            /** @description The scope that the key lacks, with `missing_scope`. */
            missingScope?: string;
            /**
             * Format: uuid
             * @description The order concerned, with conflicts.
             */
            txid?: string;
            /**
             * @description Where that order is, with conflicts.
             * @enum {string}
             */
            orderStatus?: "open" | "processing" | "paid" | "failed" | "cancelled" | "expired";
            /**
             * Format: uuid
             * @description The refund concerned, with conflicts about refunds.
             */
            refundId?: string;
            /**
             * @description Where that refund is, with `refund_not_cancelable`.
             * @enum {string}
             */
            refundStatus?: "requested" | "approved" | "submitted" | "succeeded" | "failed" | "cancelled" | "rejected";
            /**
             * Format: int64
             * @description What is left to refund, in minor units, with `refund_too_large` and `refundable_changed`.
             */
            amountRefundable?: number;
            /**
             * Format: int64
             * @description What the merchant has available, in minor units, with `insufficient_balance`.
             */
            available?: number;
            /** @description The currency of these amounts. */
            currency?: string;
        };
    };
    responses: never;
    parameters: {
        /** @description The `next` of the page before, or the id of any event; `latest` for the end of the feed. Its beginning when left out, empty or `null`, so that a `next` which was null can be passed as well. */
        EventAfter: string | "latest";
        /** @description How many entries the page has at most. */
        Limit: number;
        /** @description Only events of these types, separated by commas; all when left out. */
        EventTypes: ("order.created" | "order.processing" | "order.paid" | "order.failed" | "order.cancelled" | "order.expired" | "order.exception" | "order.refunded" | "payment.failed" | "payment.updated" | "order.updated" | "order.reopened" | "refund.requested" | "refund.approved" | "refund.submitted" | "refund.succeeded" | "refund.failed" | "refund.cancelled" | "refund.rejected" | "payout.requested" | "payout.changed" | "payout.approved" | "payout.exported" | "payout.submitted" | "payout.paid" | "payout.rejected" | "payout.cancelled" | "payout.failed" | "payout.returned")[];
        /** @description Only events of this time or later: without `after`, the feed begins there. With clocks of several machines an event can stand shortly before an earlier one. */
        EventsFrom: string;
        /** @description Only events of these orders, separated by commas. */
        EventTxids: string[];
        /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
        ApiVersion: "1.4";
        /** @description The webhook endpoint, or `newest` for the one made last. */
        EndpointIdOrNewest: string | "newest";
        /** @description The webhook endpoint. */
        EndpointId: string;
        /** @description The `next` of the page before: only deliveries made before it. */
        DeliveryAfter: string;
        /** @description Only deliveries in this status. */
        DeliveryStatus: "pending" | "delivered" | "failed" | "cancelled";
        /** @description The delivery, or `newest` for the one made last. */
        DeliveryIdOrNewest: string | "newest";
        /** @description The recipient, or `newest` for the one made last. */
        RecipientIdOrNewest: string | "newest";
        /** @description The recipient. */
        RecipientId: string;
        /** @description A name for this request, of printable ASCII and best a random UUID, bare or in double quotes. A repeat with the same key gets the first answer. */
        IdempotencyKey: string;
        /** @description Your own name for the order. */
        OrderMerchantId: string;
        /** @description The service’s own name for the order. */
        TxidQuery: string;
        /** @description The service’s own name for the order. */
        Txid: string;
        /** @description The `ETag` of the order that the change is meant for. Without it the order is changed as it is. */
        IfMatch: string;
        /** @description The `txid` of the order. */
        OrderTransactionId: string;
        /** @description Only these orders, by the service’s own names. Separated by commas. */
        OrderTxids: string[];
        /** @description Only these orders, by your own names: with one that was used again, all its orders. Separated by commas. */
        OrderMerchantIds: string[];
        /** @description Only orders in these statuses. Separated by commas. */
        OrderStatuses: ("open" | "processing" | "paid" | "failed" | "cancelled" | "expired")[];
        /** @description Only orders with this exception; `only` means any. */
        OrderExceptions: "only" | "underpaid" | "overpaid" | "paid_late" | "duplicate_payment" | "wrong_currency" | "charged_back";
        /** @description Which time `from`, `to` and the order of the answer mean: of creation or of payment. With `paid`, only orders that were paid. */
        OrderBasis: "created" | "paid";
        /** @description Only orders from this time on. */
        OrderFrom: string;
        /** @description Only orders before this time. */
        OrderTo: string;
        /** @description Only orders in this currency. */
        OrderCurrency: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHF" | "CLP" | "CNY" | "COP" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "UYU" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG";
        /** @description The smallest amount, in minor units of `currency`, which must be there. */
        OrderAmountFrom: number;
        /** @description The largest amount, likewise. */
        OrderAmountTo: number;
        /** @description Only orders whose payment is at this provider. */
        OrderProvider: string;
        /** @description The payer’s account, its last four characters, or the payer’s name or how it begins (from three characters on). */
        OrderPayer: string;
        /** @description The customer’s whole e-mail address, in any case. */
        OrderCustomerEmail: string;
        /** @description An optional field and its whole value, such as `colour=red`. In the name, `=` is written `%3D` and `%` is `%25`. */
        OrderField: string;
        /** @description The id of a payout: the orders that it pays. The key needs `payouts:read`, too. */
        OrderPayout: string;
        /** @description Whatever one has in hand: an identifier, the customer’s e-mail address, the payer’s name or account, or the amount as people write it. */
        OrderText: string;
        /** @description Which come first. */
        OrderSort: "newest" | "oldest";
        /** @description The `next` of the page before. */
        OrderAfter: string;
        /** @description The `next` of the page before: only refunds requested before it. */
        RefundAfter: string;
        /** @description Only refunds in these statuses, separated by commas; all when left out. */
        RefundStatuses: ("requested" | "approved" | "submitted" | "succeeded" | "failed" | "cancelled" | "rejected")[];
        /** @description Only refunds of this order. */
        RefundTxid: string;
        /** @description The refund. */
        RefundId: string;
        /** @description The `next` of the page before: only payouts made before it. */
        PayoutAfter: string;
        /** @description Only payouts in these statuses, separated by commas; all when left out. */
        PayoutStatuses: ("draft" | "pending_approval" | "approved" | "exported" | "submitted" | "paid" | "rejected" | "cancelled" | "failed" | "returned")[];
        /** @description The payout, or `newest` for the one made last. */
        PayoutIdOrNewest: string | "newest";
        /** @description The `next` of the page before: only lines behind this number. */
        LineAfter: number;
        /** @description The service’s own name for the order, or `newest` for the one made last. */
        TxidOrNewest: string | "newest";
    };
    requestBodies: never;
    headers: {
        /** @description Version of the contract in which the answer is written. */
        "Api-Version": "1.0" | "1.2" | "1.2.1" | "1.2.2" | "1.3" | "1.4";
        /** @description Name of this request in the service’s log. */
        "X-Request-Id": string;
        /** @description Where the new order, or what else was made, is read. */
        Location: string;
        /** @description There when an earlier request was answered so. */
        "Idempotent-Replayed": "true";
        /** @description The limit: `q` requests at once, refilled within `w` seconds. A large body or answer counts as several. */
        "RateLimit-Policy": string;
        /** @description What is left after this answer: `r` requests; full again in `t` seconds. */
        RateLimit: string;
        /** @description Seconds to wait before the next try. */
        "Retry-After": string;
        /** @description How to sign in. */
        "WWW-Authenticate": string;
        /** @description Since when the operation is deprecated, as `@` and Unix time (RFC 9745). */
        Deprecation: string;
        /** @description Until when the operation answers at least (RFC 8594). */
        Sunset: string;
        /** @description The changelog (`deprecation`) and the operation to use (`successor-version`). */
        Link: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getOrder: {
        parameters: {
            query?: {
                /** @description Your own name for the order. */
                orderMerchantId?: components["parameters"]["OrderMerchantId"];
                /** @description The service’s own name for the order. */
                txid?: components["parameters"]["TxidQuery"];
            };
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    createOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name for this request, of printable ASCII and best a random UUID, bare or in double quotes. A repeat with the same key gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOrder"];
            };
        };
        responses: {
            /** @description The same request came before: the order as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedOrder"];
                };
            };
            /** @description The new order. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedOrder"];
                };
            };
        };
    };
    getOrderByTxid: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The service’s own name for the order. */
                txid: components["parameters"]["Txid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    cancelOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name for this request, of printable ASCII and best a random UUID, bare or in double quotes. A repeat with the same key gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The service’s own name for the order. */
                txid: components["parameters"]["Txid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order, now cancelled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    updateOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name for this request, of printable ASCII and best a random UUID, bare or in double quotes. A repeat with the same key gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of the order that the change is meant for. Without it the order is changed as it is. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The service’s own name for the order. */
                txid: components["parameters"]["Txid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateOrder"];
            };
        };
        responses: {
            /** @description The order as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    searchOrders: {
        parameters: {
            query?: {
                /** @description Only these orders, by the service’s own names. Separated by commas. */
                txid?: components["parameters"]["OrderTxids"];
                /** @description Only these orders, by your own names: with one that was used again, all its orders. Separated by commas. */
                orderMerchantId?: components["parameters"]["OrderMerchantIds"];
                /** @description Only orders in these statuses. Separated by commas. */
                status?: components["parameters"]["OrderStatuses"];
                /** @description Only orders with this exception; `only` means any. */
                exception?: components["parameters"]["OrderExceptions"];
                /** @description Which time `from`, `to` and the order of the answer mean: of creation or of payment. With `paid`, only orders that were paid. */
                basis?: components["parameters"]["OrderBasis"];
                /** @description Only orders from this time on. */
                from?: components["parameters"]["OrderFrom"];
                /** @description Only orders before this time. */
                to?: components["parameters"]["OrderTo"];
                /** @description Only orders in this currency. */
                currency?: components["parameters"]["OrderCurrency"];
                /** @description The smallest amount, in minor units of `currency`, which must be there. */
                amountFrom?: components["parameters"]["OrderAmountFrom"];
                /** @description The largest amount, likewise. */
                amountTo?: components["parameters"]["OrderAmountTo"];
                /** @description Only orders whose payment is at this provider. */
                provider?: components["parameters"]["OrderProvider"];
                /** @description The payer’s account, its last four characters, or the payer’s name or how it begins (from three characters on). */
                payer?: components["parameters"]["OrderPayer"];
                /** @description The customer’s whole e-mail address, in any case. */
                customerEmail?: components["parameters"]["OrderCustomerEmail"];
                /** @description An optional field and its whole value, such as `colour=red`. In the name, `=` is written `%3D` and `%` is `%25`. */
                field?: components["parameters"]["OrderField"];
                /** @description The id of a payout: the orders that it pays. The key needs `payouts:read`, too. */
                payout?: components["parameters"]["OrderPayout"];
                /** @description Whatever one has in hand: an identifier, the customer’s e-mail address, the payer’s name or account, or the amount as people write it. */
                q?: components["parameters"]["OrderText"];
                /** @description Which come first. */
                sort?: components["parameters"]["OrderSort"];
                /** @description The `next` of the page before. */
                after?: components["parameters"]["OrderAfter"];
                /** @description How many entries the page has at most. */
                limit?: components["parameters"]["Limit"];
            };
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Orders, as `GET /api/order` has them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderPage"];
                    "text/csv": string;
                };
            };
        };
    };
    getOrderStatus: {
        parameters: {
            query?: {
                /** @description Your own name for the order. */
                orderMerchantId?: components["parameters"]["OrderMerchantId"];
                /** @description The `txid` of the order. */
                orderTransactionId?: components["parameters"]["OrderTransactionId"];
            };
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The status of the order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderStatus"];
                };
            };
        };
    };
    getOrderStatusByTxid: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The service’s own name for the order. */
                txid: components["parameters"]["Txid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The status of the order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderStatus"];
                };
            };
        };
    };
    createRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name for this request, of printable ASCII and best a random UUID, bare or in double quotes. A repeat with the same key gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The service’s own name for the order. */
                txid: components["parameters"]["Txid"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateRefund"];
            };
        };
        responses: {
            /** @description The same request came before: the refund as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
            /** @description The new refund. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
        };
    };
    listRefunds: {
        parameters: {
            query?: {
                /** @description The `next` of the page before: only refunds requested before it. */
                after?: components["parameters"]["RefundAfter"];
                /** @description Only refunds in these statuses, separated by commas; all when left out. */
                status?: components["parameters"]["RefundStatuses"];
                /** @description Only refunds of this order. */
                txid?: components["parameters"]["RefundTxid"];
                /** @description How many entries the page has at most. */
                limit?: components["parameters"]["Limit"];
            };
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of refunds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundPage"];
                };
            };
        };
    };
    getRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The refund. */
                id: components["parameters"]["RefundId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The refund. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
        };
    };
    cancelRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The refund. */
                id: components["parameters"]["RefundId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The refund, now cancelled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
        };
    };
    getRefundPayerLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The refund. */
                id: components["parameters"]["RefundId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundPayerLink"];
                };
            };
        };
    };
    listPayouts: {
        parameters: {
            query?: {
                /** @description The `next` of the page before: only payouts made before it. */
                after?: components["parameters"]["PayoutAfter"];
                /** @description Only payouts in these statuses, separated by commas; all when left out. */
                status?: components["parameters"]["PayoutStatuses"];
                /** @description How many entries the page has at most. */
                limit?: components["parameters"]["Limit"];
            };
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of payouts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutPage"];
                };
            };
        };
    };
    getPayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The payout, or `newest` for the one made last. */
                id: components["parameters"]["PayoutIdOrNewest"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payout. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutWithSums"];
                };
            };
        };
    };
    listPayoutLines: {
        parameters: {
            query?: {
                /** @description The `next` of the page before: only lines behind this number. */
                after?: components["parameters"]["LineAfter"];
                /** @description How many entries the page has at most. */
                limit?: components["parameters"]["Limit"];
            };
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The payout, or `newest` for the one made last. */
                id: components["parameters"]["PayoutIdOrNewest"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of lines. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutLinePage"];
                };
            };
        };
    };
    getBalance: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance, by currency. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceList"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description The `next` of the page before, or the id of any event; `latest` for the end of the feed. Its beginning when left out, empty or `null`, so that a `next` which was null can be passed as well. */
                after?: components["parameters"]["EventAfter"];
                /** @description How many entries the page has at most. */
                limit?: components["parameters"]["Limit"];
                /** @description Only events of these types, separated by commas; all when left out. */
                type?: components["parameters"]["EventTypes"];
                /** @description Only events of this time or later: without `after`, the feed begins there. With clocks of several machines an event can stand shortly before an earlier one. */
                from?: components["parameters"]["EventsFrom"];
                /** @description Only events of these orders, separated by commas. */
                txid?: components["parameters"]["EventTxids"];
            };
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every endpoint of this mode, the oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointList"];
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookEndpoint"];
            };
        };
        responses: {
            /** @description The new endpoint, with its secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The webhook endpoint, or `newest` for the one made last. */
                id: components["parameters"]["EndpointIdOrNewest"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The webhook endpoint. */
                id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The webhook endpoint, or `newest` for the one made last. */
                id: components["parameters"]["EndpointIdOrNewest"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeWebhookEndpoint"];
            };
        };
        responses: {
            /** @description The endpoint, changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    rollWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The webhook endpoint, or `newest` for the one made last. */
                id: components["parameters"]["EndpointIdOrNewest"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RollSecret"];
            };
        };
        responses: {
            /** @description The endpoint, with its new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The webhook endpoint, or `newest` for the one made last. */
                id: components["parameters"]["EndpointIdOrNewest"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery of the test event. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description The `next` of the page before: only deliveries made before it. */
                after?: components["parameters"]["DeliveryAfter"];
                /** @description Only deliveries in this status. */
                status?: components["parameters"]["DeliveryStatus"];
                /** @description How many entries the page has at most. */
                limit?: components["parameters"]["Limit"];
            };
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The webhook endpoint, or `newest` for the one made last. */
                id: components["parameters"]["EndpointIdOrNewest"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The webhook endpoint, or `newest` for the one made last. */
                id: components["parameters"]["EndpointIdOrNewest"];
                /** @description The delivery, or `newest` for the one made last. */
                deliveryId: components["parameters"]["DeliveryIdOrNewest"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery and every attempt that ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryWithAttempts"];
                };
            };
        };
    };
    resendWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The webhook endpoint, or `newest` for the one made last. */
                id: components["parameters"]["EndpointIdOrNewest"];
                /** @description The delivery, or `newest` for the one made last. */
                deliveryId: components["parameters"]["DeliveryIdOrNewest"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new delivery. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    resendWebhookEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The webhook endpoint, or `newest` for the one made last. */
                id: components["parameters"]["EndpointIdOrNewest"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResendEvents"];
            };
        };
        responses: {
            /** @description How many events were queued. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookResend"];
                };
            };
        };
    };
    listNotificationRecipients: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recipients. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRecipientList"];
                };
            };
        };
    };
    createNotificationRecipient: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateNotificationRecipient"];
            };
        };
        responses: {
            /** @description The address is there already: the recipient as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRecipient"];
                };
            };
            /** @description The new recipient. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRecipient"];
                };
            };
        };
    };
    getNotificationRecipient: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The recipient, or `newest` for the one made last. */
                id: components["parameters"]["RecipientIdOrNewest"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recipient. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRecipient"];
                };
            };
        };
    };
    deleteNotificationRecipient: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The recipient. */
                id: components["parameters"]["RecipientId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recipient is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeNotificationRecipient: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The recipient, or `newest` for the one made last. */
                id: components["parameters"]["RecipientIdOrNewest"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeNotificationRecipient"];
            };
        };
        responses: {
            /** @description The recipient as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRecipient"];
                };
            };
        };
    };
    testNotificationRecipient: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The recipient, or `newest` for the one made last. */
                id: components["parameters"]["RecipientIdOrNewest"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mail is on its way. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRecipient"];
                };
            };
        };
    };
    simulatePayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The service’s own name for the order, or `newest` for the one made last. */
                txid: components["parameters"]["TxidOrNewest"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SimulatedPayment"];
            };
        };
        responses: {
            /** @description The order after the answer of the bank. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    simulateLatePayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The service’s own name for the order, or `newest` for the one made last. */
                txid: components["parameters"]["TxidOrNewest"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SimulatedLatePayment"];
            };
        };
        responses: {
            /** @description The order with the money. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    simulateExpiry: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The service’s own name for the order, or `newest` for the one made last. */
                txid: components["parameters"]["TxidOrNewest"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order, mostly `expired`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    simulateCancellation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The service’s own name for the order, or `newest` for the one made last. */
                txid: components["parameters"]["TxidOrNewest"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order, cancelled `by_payer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    simulateAcceptance: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The service’s own name for the order, or `newest` for the one made last. */
                txid: components["parameters"]["TxidOrNewest"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order, now paid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    simulateRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to 1.4. */
                "Api-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The refund. */
                id: components["parameters"]["RefundId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SimulatedRefund"];
            };
        };
        responses: {
            /** @description The refund after the answer of the bank. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
        };
    };
    receiveOrderWebhook: {
        parameters: {
            query?: never;
            header: {
                /** @description The event: the same in every try, so that you know a repeat. */
                "webhook-id": string;
                /** @description When this try was made, as Unix time in seconds. */
                "webhook-timestamp": string;
                /** @description One `v1,…` for each secret, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderEvent"];
            };
        };
        responses: {
            /** @description You want no more: the endpoint is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have it. Answer within 15 seconds, and do the work afterwards. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You do not have it: it is posted again, ten times in three days. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePayoutWebhook: {
        parameters: {
            query?: never;
            header: {
                /** @description The event: the same in every try, so that you know a repeat. */
                "webhook-id": string;
                /** @description When this try was made, as Unix time in seconds. */
                "webhook-timestamp": string;
                /** @description One `v1,…` for each secret, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutEvent"];
            };
        };
        responses: {
            /** @description You want no more: the endpoint is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have it. Answer within 15 seconds, and do the work afterwards. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You do not have it: it is posted again, ten times in three days. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveTestWebhook: {
        parameters: {
            query?: never;
            header: {
                /** @description The event: the same in every try, so that you know a repeat. */
                "webhook-id": string;
                /** @description When this try was made, as Unix time in seconds. */
                "webhook-timestamp": string;
                /** @description One `v1,…` for each secret, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestEvent"];
            };
        };
        responses: {
            /** @description You want no more: the endpoint is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have it. Answer within 15 seconds, and do the work afterwards. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You do not have it: it is posted again, ten times in three days. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
