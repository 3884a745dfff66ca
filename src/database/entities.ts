import { DoctorReport } from './doctor/doctor-report.entity.js';
import { ExportChunk } from './exports/export-chunk.entity.js';
import { Export } from './exports/export.entity.js';
import { Balance } from './ledger/balance.entity.js';
import { FeeRate } from './ledger/fee-rate.entity.js';
import { Transfer } from './ledger/transfer.entity.js';
import { ApiKey } from './merchants/api-key.entity.js';
import { DeprecatedCall } from './merchants/deprecated-call.entity.js';
import { Merchant } from './merchants/merchant.entity.js';
import { AskedMailbox } from './notifications/asked-mailbox.entity.js';
import { DeliveryAttempt } from './notifications/delivery-attempt.entity.js';
import { Delivery } from './notifications/delivery.entity.js';
import { EventFeed } from './notifications/event-feed.entity.js';
import { MerchantEvent } from './notifications/event.entity.js';
import { NotificationRecipient } from './notifications/notification-recipient.entity.js';
import { WebhookEndpoint } from './notifications/webhook-endpoint.entity.js';
import { SavedView } from './order-list/saved-view.entity.js';
import { IdempotencyRecord } from './orders/idempotency-record.entity.js';
import { OrderField } from './orders/order-field.entity.js';
import { OrderNote } from './orders/order-note.entity.js';
import { Order } from './orders/order.entity.js';
import { PageOpening } from './orders/page-opening.entity.js';
import { Payment } from './payments/payment.entity.js';
import { BankAccountNotice } from './payouts/bank-account-notice.entity.js';
import { BankAccount } from './payouts/bank-account.entity.js';
import { PayoutFile } from './payouts/payout-file.entity.js';
import { PayoutHand } from './payouts/payout-hand.entity.js';
import { PayoutLine } from './payouts/payout-line.entity.js';
import { PayoutSchedule } from './payouts/payout-schedule.entity.js';
import { Payout } from './payouts/payout.entity.js';
import { AuditEntry } from './people/audit-entry.entity.js';
import { FormerOwner } from './people/former-owner.entity.js';
import { Membership } from './people/membership.entity.js';
import { MerchantPerson } from './people/merchant-person.entity.js';
import { SignInRefusal } from './people/sign-in-refusal.entity.js';
import { UserLink } from './people/user-link.entity.js';
import { UserNotice } from './people/user-notice.entity.js';
import { UserRecoveryCode } from './people/user-recovery-code.entity.js';
import { UserSession } from './people/user-session.entity.js';
import { User } from './people/user.entity.js';
import { ProviderAccount } from './providers/provider-account.entity.js';
import { ProviderEvent } from './providers/provider-event.entity.js';
import { RetentionMark } from './retention/retention-mark.entity.js';
import { SandboxTransaction } from './sandbox-bank/sandbox-transaction.entity.js';
import { SchemaFence } from './schema/schema-fence.entity.js';

export const ENTITIES = [
  ApiKey,
  AskedMailbox,
  AuditEntry,
  Balance,
  BankAccount,
  BankAccountNotice,
  Delivery,
  DeliveryAttempt,
  DeprecatedCall,
  DoctorReport,
  EventFeed,
  Export,
  ExportChunk,
  FeeRate,
  FormerOwner,
  IdempotencyRecord,
  Membership,
  Merchant,
  MerchantPerson,
  NotificationRecipient,
  Order,
  OrderNote,
  MerchantEvent,
  OrderField,
  PageOpening,
  Payment,
  Payout,
  PayoutFile,
  PayoutHand,
  PayoutLine,
  PayoutSchedule,
  ProviderAccount,
  ProviderEvent,
  SandboxTransaction,
  RetentionMark,
  SavedView,
  SchemaFence,
  SignInRefusal,
  Transfer,
  User,
  UserLink,
  UserNotice,
  UserRecoveryCode,
  UserSession,
  WebhookEndpoint,
];
