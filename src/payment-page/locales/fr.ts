import type { Messages } from '../messages.js';

export const fr: Messages = {
  testBanner: 'Ceci est une page de test. Aucun argent n’est transféré.',
  order: 'Commande {id}',
  pay: 'Payer {amount}',
  payBy: 'À payer avant {time}',
  timeLeft: 'encore {time}',
  fiveMinutes: 'Il vous reste 5 minutes pour payer.',
  oneMinute: 'Il vous reste 1 minute pour payer.',
  chooseMethod: 'Comment souhaitez-vous payer ?',
  continueAtBank: 'Continuer vers la banque',
  cancel: 'Annuler cette commande',
  cancelWarning: 'La commande sera fermée et ne pourra plus être payée.',
  cancelYes: 'Oui, annuler la commande',
  back: 'Retour à {merchant}',
  leaving: 'Vous revenez chez {merchant} dans {seconds} s.',
  stay: 'Rester sur cette page',
  questions: 'Des questions ? {contact}',
  progress: 'Progression',
  steps: ['Paiement', 'La banque confirme', 'Terminé'],
  language: 'Langue',
  states: {
    open: {
      title: 'Votre paiement',
      happened: '',
      next: 'À l’étape suivante, vous confirmez le paiement auprès de votre banque.',
    },
    processing: {
      title: 'En attente de votre paiement',
      happened: 'Votre paiement a été lancé, mais il n’est pas encore confirmé.',
      next: 'Veuillez le confirmer auprès de votre banque. Si c’est déjà fait, patientez un instant : cette page s’actualise toute seule.',
    },
    unknown: {
      title: 'Nous vérifions votre paiement',
      happened: 'Nous n’avons pas encore de réponse claire de la banque.',
      next: 'Veuillez ne pas payer une deuxième fois. Cette page s’actualise toute seule et vous pouvez la fermer sans risque.',
    },
    paid: {
      title: 'Payé',
      happened: 'Merci ! Votre paiement est bien arrivé.',
      next: '{merchant} en a été informé. Vous pouvez fermer cette page.',
    },
    overpaid: {
      title: 'Payé, et même davantage',
      happened: 'Merci ! Nous avons reçu {received} ; la commande s’élevait à {amount}.',
      next: '{merchant} a été informé de la différence. Contactez ce commerçant pour vous faire rembourser.',
    },
    underpaid: {
      title: 'Il manque une partie du montant',
      happened: 'Nous avons reçu {received} sur {amount}. Merci !',
      next: 'Veuillez payer les {due} restants pour terminer la commande.',
    },
    paid_late: {
      title: 'Votre argent est arrivé',
      happened: 'Votre paiement nous est parvenu, mais cette commande est déjà fermée.',
      next: '{merchant} en a été informé. Veuillez ne pas payer de nouveau et contacter ce commerçant pour convenir de la suite.',
    },
    declined: {
      title: 'Le paiement n’a pas abouti',
      happened: 'Aucun montant n’a été débité.',
      next: 'Vous pouvez réessayer ou payer depuis un autre compte.',
    },
    failed: {
      title: 'Le paiement n’a pas abouti',
      happened: 'Aucun montant n’a été débité et cette commande n’accepte plus d’essai.',
      next: 'Veuillez passer une nouvelle commande chez {merchant} ou demander de l’aide à ce commerçant.',
    },
    cancelled: {
      title: 'Commande annulée',
      happened: 'Cette commande a été annulée. Aucun montant n’a été débité.',
      next: 'Si vous souhaitez toujours acheter, veuillez passer une nouvelle commande chez {merchant}.',
    },
    expired: {
      title: 'Le délai de paiement est écoulé',
      happened: 'Cette commande n’a pas été payée à temps. Aucun montant n’a été débité.',
      next: 'Si vous souhaitez toujours acheter, veuillez passer une nouvelle commande chez {merchant}.',
    },
  },
  declines: {
    insufficient_funds: 'Le solde du compte ne suffit pas pour ce paiement.',
    limit_exceeded: 'Le paiement dépasse le plafond du compte.',
    account_blocked: 'Le compte ou la carte est bloqué.',
    authentication_failed: 'Le paiement n’a pas pu être confirmé.',
    cancelled_by_payer: 'Le paiement a été annulé à la banque.',
    timeout: 'La banque n’a pas répondu à temps.',
    declined: 'La banque a refusé le paiement.',
  },
  pages: {
    not_found: {
      title: 'Page introuvable',
      text: 'Il n’y a pas de page de paiement à cette adresse. Vérifiez le lien ou rouvrez-le depuis la boutique.',
    },
    unavailable: {
      title: 'Veuillez réessayer dans un instant',
      text: 'La page de paiement ne peut pas être affichée pour le moment. Si vous avez déjà payé, veuillez ne pas payer une deuxième fois.',
    },
    too_many_requests: {
      title: 'Un instant, s’il vous plaît',
      text: 'Votre connexion a envoyé trop de requêtes. Attendez une minute, puis rechargez la page.',
    },
  },
};
