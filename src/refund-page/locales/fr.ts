import type { RefundPageMessages } from '../messages.js';

export const fr: RefundPageMessages = {
  title: 'Votre remboursement',
  why: '{merchant} vous rembourse {amount}. La banque ne nous a pas indiqué depuis quel compte vous avez payé : veuillez indiquer où envoyer l’argent.',
  holder: 'Titulaire du compte',
  iban: 'IBAN',
  once: 'Veuillez vérifier votre saisie : elle ne pourra plus être modifiée.',
  send: 'Rembourser sur ce compte',
  faults: {
    holder: 'Veuillez saisir le nom du titulaire du compte, en 70 caractères au plus.',
    iban: 'Cet IBAN n’est pas valide. Veuillez le comparer avec votre carte bancaire ou un relevé.',
    unreachable:
      'Ce compte ne peut pas recevoir de virements en euros. Veuillez indiquer un compte d’une banque de la zone SEPA.',
  },
  entered: {
    title: 'Merci',
    text: '{amount} iront sur le compte {account}. Après une vérification d’au moins un jour, le virement prend en général un à deux jours ouvrés.',
    warning: 'Si vous n’avez pas saisi ce compte, contactez immédiatement {merchant}.',
  },
  sent: {
    title: 'Votre remboursement a été envoyé',
    text: '{amount} ont été envoyés sur le compte {account}.',
  },
  ended: {
    title: 'Ce remboursement est terminé',
    text: 'Il n’est plus possible de saisir un compte ici. Si vous attendez encore de l’argent, contactez {merchant}.',
  },
};
