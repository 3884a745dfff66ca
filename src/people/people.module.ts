import { Module } from '@nestjs/common';
import { MerchantsModule } from '../merchants/merchants.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { AccountsService } from './accounts.service.js';
import { AuditService } from './audit.service.js';
import { DeparturesService } from './departures.service.js';
import { InvitationsService } from './invitations.service.js';
import { AccountNotifier } from './mails/account-notifier.js';
import { LinkMailer } from './mails/link-mailer.js';
import { OperatorNotifier } from './mails/operator-notifier.js';
import { OwnerNotifier } from './mails/owner-notifier.js';
import { UserNotices } from './mails/user-notices.js';
import { AttemptLimitsService } from './passwords/attempt-limits.service.js';
import { PasswordWork } from './passwords/password-work.js';
import { ResetService } from './passwords/reset.service.js';
import { FreshFactor } from './second-factor/fresh-factor.js';
import { GuessesService } from './second-factor/guesses.service.js';
import { TotpService } from './second-factor/totp.service.js';
import { SecurityService } from './security.service.js';
import { PortalContextsService } from './sessions/portal-contexts.service.js';
import { PortalLimits } from './sessions/portal-limits.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SignInService } from './sessions/sign-in.service.js';
import { SupportViews } from './support-views.js';
import { TeamService } from './team.service.js';
import { UsersService } from './users.service.js';

/** Services exported to other modules. */
const SERVICES = [
  AccountsService,
  AuditService,
  DeparturesService,
  FreshFactor,
  InvitationsService,
  OwnerNotifier,
  PasswordWork,
  PortalContextsService,
  ResetService,
  SecurityService,
  SessionsService,
  SignInService,
  SupportViews,
  TeamService,
  TotpService,
  UserNotices,
  UsersService,
];

/** Users, sessions, roles and the audit log. */
@Module({
  imports: [MerchantsModule, NotificationsModule],
  providers: [
    ...SERVICES,
    AccountNotifier,
    AttemptLimitsService,
    GuessesService,
    LinkMailer,
    OperatorNotifier,
    PortalLimits,
  ],
  exports: SERVICES,
})
export class PeopleModule {}
