import { Module } from '@nestjs/common';
import { MerchantsModule } from '../../merchants/merchants.module.js';
import { NotificationsModule } from '../../notifications/notifications.module.js';
import { AccountNews } from './account-news.js';
import { AccountsService } from './accounts.service.js';
import { AuditController } from './audit.controller.js';
import { AuditService } from './audit.service.js';
import { DeparturesService } from './departures.service.js';
import { FreshFactor } from './fresh-factor.js';
import { GuessesService } from './guesses.service.js';
import { InvitationController } from './invitation.controller.js';
import { InvitationsService } from './invitations.service.js';
import { LinkMails } from './link-mails.js';
import { OwnerNews } from './owner-news.js';
import { PasswordWork } from './password-work.js';
import { ResetController } from './reset.controller.js';
import { ResetService } from './reset.service.js';
import { SecurityController } from './security.controller.js';
import { SecurityService } from './security.service.js';
import { SessionsService } from './sessions.service.js';
import { SignInController } from './sign-in.controller.js';
import { SignInService } from './sign-in.service.js';
import { SupportLooks } from './support-looks.js';
import { TeamController } from './team.controller.js';
import { TeamService } from './team.service.js';
import { TotpService } from './totp.service.js';
import { TriesService } from './tries.service.js';
import { UserNotices } from './user-notices.js';
import { UsersService } from './users.service.js';
import { VisitLimits } from './visit-limits.js';
import { VisitsService } from './visits.service.js';

/** Who may sign in, where they may go, and what they did there. */
@Module({
  imports: [MerchantsModule, NotificationsModule],
  controllers: [
    SignInController,
    ResetController,
    InvitationController,
    SecurityController,
    TeamController,
    AuditController,
  ],
  providers: [
    AccountNews,
    AccountsService,
    AuditService,
    DeparturesService,
    FreshFactor,
    GuessesService,
    InvitationsService,
    LinkMails,
    OwnerNews,
    PasswordWork,
    ResetService,
    SecurityService,
    SessionsService,
    SignInService,
    SupportLooks,
    TeamService,
    TotpService,
    TriesService,
    UserNotices,
    UsersService,
    VisitLimits,
    VisitsService,
  ],
  exports: [
    AccountsService,
    AuditService,
    DeparturesService,
    FreshFactor,
    OwnerNews,
    PasswordWork,
    SessionsService,
    SupportLooks,
    TotpService,
    UserNotices,
    UsersService,
    VisitsService,
  ],
})
export class PeopleModule {}
