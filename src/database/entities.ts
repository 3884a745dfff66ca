import { ApiKey } from './entities/api-key.entity.js';
import { AskedMailbox } from './entities/asked-mailbox.entity.js';
import { AuditEntry } from './entities/audit-entry.entity.js';
import { Balance } from './entities/balance.entity.js';
import { BankAccountNotice } from './entities/bank-account-notice.entity.js';
import { BankAccount } from './entities/bank-account.entity.js';
import { DeliveryAttempt } from './entities/delivery-attempt.entity.js';
import { Delivery } from './entities/delivery.entity.js';
import { DeprecatedCall } from './entities/deprecated-call.entity.js';
import { DoctorReport } from './entities/doctor-report.entity.js';
import { EventFeed } from './entities/event-feed.entity.js';
import { ExportChunk } from './entities/export-chunk.entity.js';
import { Export } from './entities/export.entity.js';
import { FeeRate } from './entities/fee-rate.entity.js';
import { FormerOwner } from './entities/former-owner.entity.js';
import { IdempotencyRecord } from './entities/idempotency-record.entity.js';
import { Membership } from './entities/membership.entity.js';
import { MerchantPerson } from './entities/merchant-person.entity.js';
import { Merchant } from './entities/merchant.entity.js';
import { NotificationRecipient } from './entities/notification-recipient.entity.js';
import { MerchantEvent } from './entities/event.entity.js';
import { OrderField } from './entities/order-field.entity.js';
import { OrderNote } from './entities/order-note.entity.js';
import { Order } from './entities/order.entity.js';
import { PageOpening } from './entities/page-opening.entity.js';
import { Payment } from './entities/payment.entity.js';
import { PayoutFile } from './entities/payout-file.entity.js';
import { PayoutHand } from './entities/payout-hand.entity.js';
import { PayoutLine } from './entities/payout-line.entity.js';
import { PayoutSchedule } from './entities/payout-schedule.entity.js';
import { Payout } from './entities/payout.entity.js';
import { ProviderAccount } from './entities/provider-account.entity.js';
import { ProviderEvent } from './entities/provider-event.entity.js';
import { RetentionMark } from './entities/retention-mark.entity.js';
import { SavedView } from './entities/saved-view.entity.js';
import { SandboxTransaction } from './entities/sandbox-transaction.entity.js';
import { SchemaFence } from './entities/schema-fence.entity.js';
import { SignInRefusal } from './entities/sign-in-refusal.entity.js';
import { Transfer } from './entities/transfer.entity.js';
import { UserLink } from './entities/user-link.entity.js';
import { UserNotice } from './entities/user-notice.entity.js';
import { UserRecoveryCode } from './entities/user-recovery-code.entity.js';
import { UserSession } from './entities/user-session.entity.js';
import { User } from './entities/user.entity.js';
import { WebhookEndpoint } from './entities/webhook-endpoint.entity.js';

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
